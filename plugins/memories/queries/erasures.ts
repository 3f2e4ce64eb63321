import { randomBytes } from 'node:crypto'
import type { RowCounts, Tx } from 'mneme/plugin'
import { v7 } from 'uuid'
import type { Status } from '../contract.ts'

export interface Erasure {
  readonly id: string
  /** The user; null once the erasure has ended. */
  readonly userId: string | null
  readonly digest: string
  readonly status: Status
  readonly stage: 'found' | 'removed' | null
  readonly receipt: RowCounts
  readonly error: string | null
  readonly removedAt: Date | null
  readonly createdAt: Date
  readonly completedAt: Date | null
}

const COLUMNS = `
  erasure.id, erasure.user_id as "userId", erasure.digest, erasure.status, erasure.stage, erasure.receipt, erasure.error,
  erasure.removed_at as "removedAt", erasure.created_at as "createdAt", erasure.completed_at as "completedAt"`

/** The digest of a user's id with the salt of the workspace, from `memories.salt`. */
const digestOf = (tx: Tx, userId: string) => tx`encode(sha256(convert_to(salt.salt || ${userId}::text, 'UTF8')), 'hex')`

/** Begins the erasure of a user, or finds the one under way; one that failed begins again. */
export async function beginErasure(tx: Tx, workspaceId: string, userId: string): Promise<Erasure> {
  await tx`
    insert into memories.salt (workspace_id, salt)
    values (${workspaceId}, ${randomBytes(32).toString('hex')})
    on conflict do nothing`
  const [row] = await tx<Erasure[]>`
    insert into memories.erasure (workspace_id, id, user_id, digest)
    select salt.workspace_id, ${v7()}::uuid, ${userId}::text, ${digestOf(tx, userId)}
    from memories.salt
    where salt.workspace_id = ${workspaceId}
    on conflict (workspace_id, user_id) where user_id is not null do update
    set status = case when erasure.status = 'FAILED' then 'PENDING' else erasure.status end,
      error = null, progress_at = excluded.progress_at
    returning ${tx.unsafe(COLUMNS)}`
  if (!row) throw new Error('the insert of an erasure returned no row')
  return row
}

/** @param only finds it if it is of this user, which is known by the digest once it has ended */
export async function findErasure(
  tx: Tx,
  workspaceId: string,
  id: string,
  only?: string,
): Promise<Erasure | undefined> {
  const [row] = await tx<Erasure[]>`
    select ${tx.unsafe(COLUMNS)}
    from memories.erasure
    join memories.salt on salt.workspace_id = erasure.workspace_id
    where erasure.workspace_id = ${workspaceId}
      and erasure.id = ${id}
      ${only === undefined ? tx`` : tx`and erasure.digest = ${digestOf(tx, only)}`}`
  return row
}

/** Locks an erasure that has not ended, so that two runs of its job end it once. */
export async function lockErasure(tx: Tx, workspaceId: string, id: string): Promise<Erasure | undefined> {
  const [row] = await tx<Erasure[]>`
    select ${tx.unsafe(COLUMNS)}
    from memories.erasure
    where erasure.workspace_id = ${workspaceId}
      and erasure.id = ${id}
      and erasure.status <> 'COMPLETED'
    for update`
  return row
}

/** Notes how far an erasure has come. */
export async function noteProgress(
  tx: Tx,
  workspaceId: string,
  id: string,
  { stage, receipt }: { readonly stage: Erasure['stage']; readonly receipt: RowCounts },
): Promise<void> {
  await tx`
    update memories.erasure
    set status = 'PROCESSING', stage = ${stage}, receipt = ${JSON.stringify(receipt)}::text::jsonb,
      removed_at = ${stage === 'removed' ? tx`statement_timestamp()` : null}, progress_at = statement_timestamp()
    where erasure.workspace_id = ${workspaceId}
      and erasure.id = ${id}
      and erasure.status <> 'COMPLETED'`
}

/** Ends an erasure; the receipt is all that is kept, without the user's id. */
export async function completeErasure(tx: Tx, workspaceId: string, id: string, receipt: RowCounts): Promise<void> {
  await tx`
    update memories.erasure
    set status = 'COMPLETED', user_id = null, stage = null, receipt = ${JSON.stringify(receipt)}::text::jsonb,
      completed_at = statement_timestamp(), progress_at = statement_timestamp()
    where erasure.workspace_id = ${workspaceId}
      and erasure.id = ${id}`
}

export async function failErasure(tx: Tx, workspaceId: string, id: string, error: string): Promise<void> {
  await tx`
    update memories.erasure
    set status = 'FAILED', error = ${error}, progress_at = statement_timestamp()
    where erasure.workspace_id = ${workspaceId}
      and erasure.id = ${id}
      and erasure.status <> 'COMPLETED'`
}

/** Finds erasures that have not progressed for so many minutes: their jobs are lost. */
export async function findStalledErasures(
  tx: Tx,
  minutes: number,
  limit: number,
): Promise<{ workspaceId: string; id: string }[]> {
  return tx<{ workspaceId: string; id: string }[]>`
    -- across workspaces: the sweep looks for all that were left
    select erasure.workspace_id as "workspaceId", erasure.id
    from memories.erasure
    where erasure.status in ('PENDING', 'PROCESSING')
      and erasure.progress_at < now() - make_interval(mins => ${minutes}::int)
    order by erasure.progress_at
    limit ${limit}`
}

export interface UserCount {
  readonly userId: string
  readonly memories: number
  readonly firstAt: Date
  readonly lastAt: Date
}

/** Lists users with visible memories, by their ids, from one index alone. */
export async function listUsers(
  tx: Tx,
  workspaceId: string,
  { prefix, only }: { readonly prefix?: string | undefined; readonly only?: string | undefined },
  window: { readonly limit: number; readonly offset: number },
): Promise<{ users: UserCount[]; total: number }> {
  const rows = await tx<(UserCount & { total: number })[]>`
    with counted as materialized (
      select memory.user_id, count(*)::int as memories, min(memory.created_at) as first_at, max(memory.created_at) as last_at
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.live
        and (memory.expires_at is null or memory.expires_at > now())
        ${prefix === undefined ? tx`` : tx`and starts_with(memory.user_id, ${prefix})`}
        ${only === undefined ? tx`` : tx`and memory.user_id = ${only}`}
      group by memory.user_id
    )
    select
      page.user_id as "userId", page.memories, page.first_at as "firstAt", page.last_at as "lastAt",
      (select count(*)::int from counted) as total
    from (select 1) as one
    left join lateral (
      select counted.*
      from counted
      order by counted.user_id collate "C"
      limit ${window.limit}
      offset ${window.offset}
    ) as page on true`
  const users = rows.filter(({ userId }) => userId !== null).map(({ total: _, ...user }) => user)
  return { users, total: rows[0]?.total ?? 0 }
}
