import { type Fragment, insertRows, plainArray, type Quarantine, type Tx, textArray } from 'mneme/plugin'

/** Stands for every category of a user. */
export const EVERY_CATEGORY = ''

/** Notes what has to be compiled, and tells for how many milliseconds the user's first change has waited. */
export async function markChanged(
  tx: Tx,
  workspaceId: string,
  userId: string,
  categories: readonly string[],
): Promise<number> {
  const changes = [...new Set(categories)].sort().map(category => ({ userId, category }))
  await markAt(tx, workspaceId, changes, tx`now()`)
  const [row] = await tx<{ waited_ms: number | null }[]>`
    select floor(1000 * extract(epoch from now() - min(change.marked_at)))::float8 as waited_ms
    from knowledge.change
    where change.workspace_id = ${workspaceId}
      and change.user_id = ${userId}`
  return row?.waited_ms ?? 0
}

/** Rows are written in one order, so that no two writers wait for each other. */
async function markAt(
  tx: Tx,
  workspaceId: string,
  changes: readonly { readonly userId: string; readonly category: string }[],
  markedAt: Fragment,
): Promise<void> {
  await insertRows(
    tx,
    changes,
    ({ userId, category }) => tx`(${workspaceId}, ${userId}, ${category}, ${markedAt})`,
    values => tx`
      insert into knowledge.change (workspace_id, user_id, category, marked_at)
      values ${values}
      on conflict do nothing`,
  )
}

/** Lists the pending changes of this user in the order in which they were marked. */
export async function findChanges(tx: Tx, workspaceId: string, userId: string, limit: number): Promise<string[]> {
  const rows = await tx<{ category: string }[]>`
    select change.category
    from knowledge.change
    where change.workspace_id = ${workspaceId}
      and change.user_id = ${userId}
    order by change.marked_at, change.category
    limit ${limit}`
  return rows.map(({ category }) => category)
}

/** Takes the marks off, and tells which there were; a change that comes from now on marks anew. */
export async function takeChanges(
  tx: Tx,
  workspaceId: string,
  userId: string,
  categories: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ category: string }[]>`
    delete from knowledge.change
    where change.workspace_id = ${workspaceId}
      and change.user_id = ${userId}
      and change.category in (select jsonb_array_elements_text(${JSON.stringify(categories)}::text::jsonb))
    returning change.category`
  return rows.map(({ category }) => category)
}

/** Takes off all marks of a user whose knowledge is not compiled. */
export async function forgetChanges(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx`
    delete from knowledge.change
    where change.workspace_id = ${workspaceId}
      and change.user_id = ${userId}`
}

/** Notes that what waits of a user could not be compiled. The sweep queues it again all the same. */
export async function markFailed(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx`
    update knowledge.change
    set failed = true
    where change.workspace_id = ${workspaceId}
      and change.user_id = ${userId}`
}

/** Only one compilation of a user writes at a time. */
export async function lockUser(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`knowledge ${workspaceId} ${userId}`}, 0))`
}

/** A user of a workspace. */
export interface UserOf {
  readonly workspaceId: string
  readonly userId: string
}

/**
 * Users whose changes have waited since before `before` without being compiled, the longest waiting first, but those that the sweep holds
 * back. Of all workspaces: for sweeps.
 */
export async function findForgotten(
  tx: Tx,
  quarantine: Quarantine,
  sweep: string,
  before: Date,
  limit: number,
): Promise<UserOf[]> {
  const rows = await tx<{ workspace_id: string; user_id: string }[]>`
    -- across workspaces: finds users whose compilation is due
    select change.workspace_id, change.user_id
    from knowledge.change
    where change.marked_at < ${before}
      and ${quarantine.admits(tx, sweep, 'change.workspace_id', 'change.user_id')}
    group by change.workspace_id, change.user_id
    order by min(change.marked_at)
    limit ${limit}`
  return rows.map(row => ({ workspaceId: row.workspace_id, userId: row.user_id }))
}

/** Lets changes that are queued again wait from now on, so that those that fail for good come behind all others. */
export async function renewMarks(tx: Tx, workspaceId: string, userIds: readonly string[]): Promise<void> {
  await tx`
    update knowledge.change
    set marked_at = now()
    where change.workspace_id = ${workspaceId}
      and change.user_id = any(${textArray(userIds)}::text[])`
}

/** A user with entries whose time to be written again has come. */
export interface Improvable extends UserOf {
  readonly entryIds: readonly string[]
}

/** Entries whose time to be written again has come, those due longest first, but of users that the sweep holds back. Of all workspaces: for sweeps. */
export async function findImprovable(
  tx: Tx,
  quarantine: Quarantine,
  sweep: string,
  now: Date,
  limit: number,
): Promise<Improvable[]> {
  const rows = await tx<{ workspace_id: string; user_id: string; entry_ids: string[] }[]>`
    -- across workspaces: finds documents to improve, whosever they are
    select first.workspace_id, first.user_id, jsonb_agg(first.id) as entry_ids
    from (
      select entry.workspace_id, entry.user_id, entry.id
      from knowledge.entry
      where entry.improve_at <= ${now}
        and ${quarantine.admits(tx, sweep, 'entry.workspace_id', 'entry.user_id')}
      order by entry.improve_at
      limit ${limit}
    ) as first
    group by first.workspace_id, first.user_id`
  return rows.map(row => ({ workspaceId: row.workspace_id, userId: row.user_id, entryIds: row.entry_ids }))
}

/** An entry that nobody could write again comes behind the others for so long. */
const AGAIN_AFTER = '1 hour'

/** Marks entries of a workspace to be written again, where it is still time. */
export async function markImprovable(
  tx: Tx,
  workspaceId: string,
  entryIds: readonly string[],
  now: Date,
): Promise<void> {
  if (entryIds.length === 0) return
  const due = await tx<{ userId: string; category: string }[]>`
    update knowledge.entry
    set improve_at = ${now}::timestamptz + ${AGAIN_AFTER}::interval
    where entry.workspace_id = ${workspaceId}
      and entry.id = any(${plainArray(entryIds)}::uuid[])
      and entry.improve_at <= ${now}
    returning entry.user_id as "userId", entry.category`
  const changes = due.toSorted((a, b) => (a.userId + a.category < b.userId + b.category ? -1 : 1))
  await markAt(tx, workspaceId, changes, tx`${now}`)
}
