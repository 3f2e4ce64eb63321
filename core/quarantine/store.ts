import type { Tx } from '../db/database.ts'
import { textArray } from '../db/literals.ts'
import { messageOf } from '../failure-reason.ts'
import { storableText } from '../storable-text.ts'

/** The tasks that deliver events begin with it; what they could not deliver is held back under their name. */
export const DELIVERY_PREFIX = 'core:deliver:'

/** The id of an item that is a whole workspace. */
export const WHOLE_WORKSPACE = ''

/** Names an item. */
export interface Place {
  readonly sweep: string
  readonly workspaceId: string
  readonly rowId: string
}

/** An item that is held back, as operators see it. */
export interface HeldItem extends Place {
  readonly plugin: string
  readonly error: string
  readonly attempts: number
  readonly firstAt: Date
  readonly lastAt: Date
  readonly retryAt: Date
}

/** A sweep with more is not asked for all of them: those beyond are tried again each time. */
const HELD_MAX = 20_000

const ERROR_MAX = 500

/** Longest time between two tries. */
const RETRY_HOURS_MAX = 24

/** Maps a sweep's held rows by workspace and row; true where it is not yet to be tried again. */
export async function readHeld(tx: Tx, sweep: string): Promise<ReadonlyMap<string, ReadonlyMap<string, boolean>>> {
  const rows = await tx<{ workspace_id: string; row_id: string; is_held: boolean }[]>`
    -- across workspaces: what a job for all workspaces leaves out
    select held.workspace_id, held.row_id, held.retry_at > now() as is_held
    from core.quarantine as held
    where held.sweep = ${sweep}
    limit ${HELD_MAX}`
  const byWorkspace = Map.groupBy(rows, row => row.workspace_id)
  return new Map([...byWorkspace].map(([id, own]) => [id, new Map(own.map(row => [row.row_id, row.is_held]))]))
}

export async function keepOut(
  tx: Tx,
  { workspaceId, sweep, rowId, plugin, error }: Place & { readonly plugin: string; readonly error: unknown },
): Promise<void> {
  if ((await tx`select from core.workspace where workspace.id = ${workspaceId}`).length === 0) return
  const [known] = await tx<{ attempts: number }[]>`
    select held.attempts from core.quarantine as held where held.workspace_id = ${workspaceId} and held.sweep = ${sweep} and held.row_id = ${rowId}`
  const hours = Math.min(RETRY_HOURS_MAX, 2 ** Math.min(known?.attempts ?? 0, 10))
  await tx`
    insert into core.quarantine as held (workspace_id, sweep, row_id, plugin, error, retry_at)
    values (${workspaceId}, ${sweep}, ${rowId}, ${plugin}, ${describe(error)}, now() + ${hours}::int * interval '1 hour')
    on conflict (workspace_id, sweep, row_id) do update
    set error = excluded.error, attempts = held.attempts + 1, last_at = excluded.last_at, retry_at = excluded.retry_at`
}

export async function takeBack(tx: Tx, workspaceId: string, sweep: string, rowIds: readonly string[]): Promise<number> {
  const { count } = await tx`
    delete from core.quarantine as held
    where held.workspace_id = ${workspaceId}
      and held.sweep = ${sweep}
      and held.row_id = any(${textArray(rowIds)}::text[])`
  return count
}

/** The items held back, the newest first, and how many there are in all. */
export async function listHeld(tx: Tx, limit: number): Promise<{ items: HeldItem[]; total: number }> {
  const rows = await tx<(HeldItem & { total: number })[]>`
    -- across workspaces: shows operators what is held back
    select
      held.sweep, held.workspace_id as "workspaceId", held.row_id as "rowId", held.plugin, held.error, held.attempts,
      held.first_at as "firstAt", held.last_at as "lastAt", held.retry_at as "retryAt", count(*) over () as total
    from core.quarantine as held
    order by held.last_at desc, held.sweep, held.workspace_id, held.row_id
    limit ${limit}`
  return { items: rows, total: rows[0]?.total ?? 0 }
}

/** Counts the items held back, up to `limit`. */
export async function countHeld(tx: Tx, limit: number): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    -- across workspaces: tells readiness whether somebody should look
    select count(*)::int as n from (select row_id from core.quarantine limit ${limit}) as held`
  return row?.n ?? 0
}

/**
 * Forgets what is not tried any more: a sweep that still failed on it would have said so again. No sweep meets a delivery, which stays until it
 * is made.
 */
export async function forgetStale(tx: Tx): Promise<number> {
  const { count } = await tx`
    -- across workspaces: housekeeping of old rows
    delete from core.quarantine as held
    where held.retry_at < now() - interval '2 days'
      and held.sweep not like ${`${DELIVERY_PREFIX}%`}`
  return count
}

/** Says in words what operators may see of an error. Messages of the database may quote values of rows behind a colon, which are users'. */
export function describe(error: unknown): string {
  const text = messageOf(error)
  const isDatabase = error instanceof Error && error.name === 'PostgresError'
  const message = isDatabase ? `${String(Reflect.get(error, 'code'))} ${text.replace(/:? ?".*$/s, '')}` : text
  return storableText(message, ERROR_MAX)
}
