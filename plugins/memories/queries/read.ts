import { plainArray, type Tx, textArray, workspaceOf } from 'mneme/plugin'
import type { MemoryRecord, MemorySelect, MemoryStanding, Status } from '../contract.ts'
import { hashOf } from '../storing/content-hash.ts'
import { type FeedbackSummary, type MemoryDetails, recordColumns } from './rows.ts'

/** An expired memory answers 410 for this many days; then the sweep deletes it. */
export const EXPIRED_KEPT_DAYS = 7

type DetailsRow = Omit<MemoryDetails, 'record' | 'feedback'> & {
  readonly feedback: Omit<FeedbackSummary, 'lastAt' | 'lastSignal'> & {
    readonly lastSignal: FeedbackSummary['lastSignal'] | null
  }
  readonly feedbackAt: Date | null
}

/** Reads one memory with every field of get-one; undefined when there is none, or it expired too long ago to be reported. */
export async function findDetails(tx: Tx, workspaceId: string, id: string): Promise<MemoryDetails | undefined> {
  const [row] = await tx<(MemoryRecord & DetailsRow)[]>`
    select
      ${recordColumns(tx)},
      coalesce(memory.expires_at <= now(), false) as expired,
      memory.access_count as "accessCount", memory.last_accessed_at as "lastAccessedAt", memory.error,
      json_build_object(
        'positive', memory.feedback_positive, 'negative', memory.feedback_negative, 'neutral', memory.feedback_neutral,
        'lastSignal', memory.feedback_last_signal
      ) as feedback,
      memory.feedback_last_at as "feedbackAt"
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.id = ${id}
      and (memory.expires_at is null or memory.expires_at > now() - make_interval(days => ${EXPIRED_KEPT_DAYS}))`
  if (!row) return undefined
  const { expired, accessCount, lastAccessedAt, error, feedback, feedbackAt: lastAt, ...record } = row
  const { lastSignal } = feedback
  const given = lastSignal && lastAt ? { ...feedback, lastSignal, lastAt } : null
  return { record, expired, accessCount, lastAccessedAt, error, feedback: given }
}

/** The state that decides whether a memory may be changed. */
export interface MemoryState {
  readonly expired: boolean
  readonly consolidatedInto: string | null
  readonly layer: 'TASK' | 'RAW'
}

/** Reads a memory's state; undefined when there is none, or it expired too long ago to be reported. */
export async function findState(
  tx: Tx,
  workspaceId: string,
  id: string,
  mode?: 'locked',
): Promise<MemoryState | undefined> {
  // The clock is read outside of the query that locks, which would read it before the lock is granted. A memory may be marked as expired
  // by a transaction that began later, or by a clock that is ahead.
  const [row] = await tx<{ expired: boolean; consolidated_into: string | null; layer: 'TASK' | 'RAW' }[]>`
    select
      coalesce(found.expires_at <= clock_timestamp(), false) or (not found.live and found.consolidated_into is null) as expired,
      found.consolidated_into, found.layer
    from (
      select memory.expires_at, memory.live, memory.consolidated_into, memory.layer
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = ${id}
        and (memory.expires_at is null or memory.expires_at > now() - make_interval(days => ${EXPIRED_KEPT_DAYS}))
      ${mode === 'locked' ? tx`for update` : tx``}
    ) as found`
  return row && { expired: row.expired, consolidatedInto: row.consolidated_into, layer: row.layer }
}

interface StandingRow {
  id: string
  expired: boolean
  consolidated_into: string | null
  status: Status
}

/** Reads whether memories are visible, of those among `ids` that the transaction's workspace has. */
export async function findStandings(tx: Tx, ids: readonly string[]): Promise<Map<string, MemoryStanding>> {
  if (ids.length === 0) return new Map()
  const rows = await tx<StandingRow[]>`
    select
      memory.id, memory.consolidated_into, memory.status,
      coalesce(memory.expires_at <= now(), false) or (not memory.live and memory.consolidated_into is null) as expired
    from memories.memory
    where memory.workspace_id = ${workspaceOf(tx)}
      and memory.id = any(${plainArray(ids)}::uuid[])`
  return new Map(rows.map(row => [row.id, toStanding(row)]))
}

function toStanding({ expired, consolidated_into: into, status }: StandingRow): MemoryStanding {
  if (into !== null) return { state: 'CONSOLIDATED', into }
  return expired ? { state: 'EXPIRED' } : { state: 'VISIBLE', status }
}

/** Reads the visible memories among `ids` in the transaction's workspace; `locked` locks them until it ends. */
export async function findRecords(tx: Tx, ids: readonly string[], mode?: 'locked'): Promise<MemoryRecord[]> {
  if (ids.length === 0) return []
  const rows = await tx<MemoryRecord[]>`
    select ${recordColumns(tx)}
    from memories.memory
    where memory.workspace_id = ${workspaceOf(tx)}
      and memory.id = any(${plainArray(ids)}::uuid[])
      and memory.live
      and (memory.expires_at is null or memory.expires_at > now())
    ${mode === 'locked' ? tx`order by memory.id for share` : tx``}`
  return rows
}

/** Reads the absorbed memories of the transaction's workspace that have any of the texts, keyed by the hash of the text in hexadecimal. */
export async function findAbsorbed(tx: Tx, texts: readonly string[]): Promise<Map<string, MemoryRecord[]>> {
  if (texts.length === 0) return new Map()
  const rows = await tx<MemoryRecord[]>`
    select ${recordColumns(tx)}
    from memories.memory
    where memory.workspace_id = ${workspaceOf(tx)}
      and memory.consolidated_into is not null
      and memory.content_hash = any(${textArray(texts.map(text => `\\x${hashOf(text)}`))}::bytea[])
      and (memory.expires_at is null or memory.expires_at > now())
    order by memory.id`
  return Map.groupBy(rows, record => hashOf(record.text))
}

/** Reads the ids of the visible memories among `ids` in the transaction's workspace; `locked` locks them until it ends. */
export async function findVisible(tx: Tx, ids: readonly string[], mode?: 'locked'): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx<{ id: string }[]>`
    select memory.id
    from memories.memory
    where memory.workspace_id = ${workspaceOf(tx)}
      and memory.id = any(${plainArray(ids)}::uuid[])
      and memory.live
      and (memory.expires_at is null or memory.expires_at > now())
    ${mode === 'locked' ? tx`order by memory.id for share` : tx``}`
  return rows.map(row => row.id)
}

/** Counts the visible memories of the transaction's workspace among those that `select` gives. */
export async function countVisible(tx: Tx, select: MemorySelect): Promise<number> {
  const workspaceId = workspaceOf(tx)
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.id in (${select(tx, workspaceId)})
      and memory.live
      and (memory.expires_at is null or memory.expires_at > now())`
  return row?.count ?? 0
}

/** Reads the status of the visible memories among `ids`, in the transaction's workspace. */
export async function findStatuses(tx: Tx, ids: readonly string[]): Promise<Map<string, Status>> {
  if (ids.length === 0) return new Map()
  const rows = await tx<{ id: string; status: Status }[]>`
    select memory.id, memory.status
    from memories.memory
    where memory.workspace_id = ${workspaceOf(tx)}
      and memory.id = any(${plainArray(ids)}::uuid[])
      and memory.live
      and (memory.expires_at is null or memory.expires_at > now())`
  return new Map(rows.map(row => [row.id, row.status]))
}
