import type { Database, Tx } from '../../db/database.ts'
import { tenantTables } from './tenant-rows.ts'

/**
 * An ended workspace with the eraser that has yet to acknowledge it: a plugin's, by its id, or the core's for tenant
 * rows.
 */
export interface PendingEnd {
  readonly workspaceId: string
  readonly eraser: string
}

/** Names the core's eraser of tenant rows, which looks once more when no write can be under way. */
export const ROWS_ERASER = 'core'

/** After so long every request and job that began before the end is over. */
const LAST_LOOK_MINUTES = 60

/**
 * Lists the ids to erase with `id`: a closed workspace and its test twin, the twin first; `id` itself where no
 * workspace has it any more, so that leftovers go too; none where the workspace is in use.
 */
export async function endedWorkspaceIds(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx<{ id: string; closed: boolean }[]>`
    select workspace.id, workspace.deleted_at is not null as closed
    from core.workspace
    where workspace.id = ${id}
      or workspace.twin_of = ${id}
    order by workspace.twin_of nulls last`
  if (rows.length === 0) return [id]
  return rows.filter(row => row.closed).map(row => row.id)
}

/**
 * Lists live workspaces that were closed more than so many minutes ago and still exist, because their removal was given
 * up.
 */
export async function findForgotten(tx: Tx, minutes: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select workspace.id
    from core.workspace
    where workspace.deleted_at < now() - make_interval(mins => ${minutes})
      and workspace.twin_of is null`
  return rows.map(row => row.id)
}

/** Notes which erasers there are, so that an end waits for a plugin that is switched off. */
export async function rememberErasers(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`
    insert into core.workspace_eraser (id)
    select eraser.id
    from jsonb_array_elements_text(${tx.json([...ids])}) as eraser (id)
    order by eraser.id
    on conflict do nothing`
}

/**
 * Removes an ended workspace and its twin from the control plane; everything in them must be erased before. Notes the
 * erasers that have yet to acknowledge it: those not among `answered`, and the core, for rows that were written to the
 * very last.
 */
export async function removeEnded(tx: Tx, id: string, answered: readonly string[]): Promise<void> {
  const ids = tx.json(await endedWorkspaceIds(tx, id))
  await tx`
    insert into core.workspace_end (ended_workspace, eraser)
    select ended.id::uuid, eraser.id
    from jsonb_array_elements_text(${ids}) as ended (id)
    cross join (
      select workspace_eraser.id from core.workspace_eraser
      union all
      select ${ROWS_ERASER}
    ) as eraser
    where eraser.id not in (select jsonb_array_elements_text(${tx.json([...answered])}))
    on conflict do nothing`
  const gone = tx`(select ended.id::uuid from jsonb_array_elements_text(${ids}) as ended (id))`
  await tx`delete from core.api_key_workspace where api_key_workspace.workspace_id in ${gone}`
  // Their hashes stay, so that none of them is ever made again; their names tell of the workspace.
  await tx`
    update core.api_key
    set workspace_id = null, name = '', prefix = ''
    where api_key.workspace_id in ${gone}`
  await tx`delete from core.member where member.workspace_id in ${gone}`
  await tx`delete from core.invitation where invitation.workspace_id in ${gone}`
  await tx`delete from core.workspace where workspace.id in ${gone}`
}

/**
 * Lists ends that one of `erasers` has yet to acknowledge. They come in any order, so that each gets its turn even where
 * more of them than `limit` fail for good.
 */
export async function pendingEnds(tx: Tx, erasers: readonly string[], limit: number): Promise<PendingEnd[]> {
  const rows = await tx<{ ended_workspace: string; eraser: string }[]>`
    select workspace_end.ended_workspace, workspace_end.eraser
    from core.workspace_end
    where workspace_end.eraser in (select jsonb_array_elements_text(${tx.json([...erasers])}))
      and (
        workspace_end.eraser <> ${ROWS_ERASER}
        or workspace_end.ended_at < now() - make_interval(mins => ${LAST_LOOK_MINUTES})
      )
    order by random()
    limit ${limit}`
  return rows.map(row => ({ workspaceId: row.ended_workspace, eraser: row.eraser }))
}

export async function acknowledgeEnd(tx: Tx, { workspaceId, eraser }: PendingEnd): Promise<void> {
  await tx`
    delete from core.workspace_end
    where workspace_end.eraser = ${eraser}
      and workspace_end.ended_workspace = ${workspaceId}`
}

/** Removes keys and grants that were made while their workspace was being removed. */
export async function sweepKeys(tx: Tx): Promise<void> {
  await tx`delete from core.api_key where api_key.parent_id is not null and api_key.expires_at < now()`
  await tx`
    update core.api_key
    set workspace_id = null, revoked_at = coalesce(api_key.revoked_at, now()), name = '', prefix = ''
    where api_key.workspace_id is not null
      and not exists (select from core.workspace where workspace.id = api_key.workspace_id)`
  await tx`
    delete from core.api_key_workspace
    where not exists (select from core.workspace where workspace.id = api_key_workspace.workspace_id)`
}

/** One transaction looks at so many workspaces. */
const PAGE = 500

/**
 * Proves that nothing is left: it looks through every tenant table for rows of workspaces that do not exist, with one
 * index look-up per table and workspace, in short transactions. Throws the signal's reason when it is aborted.
 * @returns at most `limit` ids of such workspaces
 */
export async function findOrphans(database: Database, limit: number, signal: AbortSignal): Promise<string[]> {
  const orphans = new Set<string>()
  for (const table of await database.system(tenantTables)) {
    let after: string | null = null
    do {
      signal.throwIfAborted()
      const page: Seen[] = await database.system(tx => workspacesIn(tx, table, after))
      for (const { id, known } of page) if (!known) orphans.add(id)
      if (orphans.size >= limit) return [...orphans].slice(0, limit)
      after = page[PAGE - 1]?.id ?? null
    } while (after !== null)
  }
  return [...orphans]
}

interface Seen {
  readonly id: string
  readonly known: boolean
}

function workspacesIn(tx: Tx, table: string, after: string | null): Promise<Seen[]> {
  return tx<Seen[]>`
    select seen.id, exists (select from core.workspace where workspace.id = seen.id) as known
    from core.workspaces_in(${table}::regclass, ${after}, ${PAGE}) as seen (id)
    order by seen.id`
}
