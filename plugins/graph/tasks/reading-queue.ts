import {
  type Claim,
  insertRows,
  type LeasedWork,
  type LeasedWorkOptions,
  leasedWork,
  plainArray,
  queueAgain,
  type Tx,
  textArray,
} from 'mneme/plugin'
import { type MemoryRecord, statedAt } from '../../memories/contract.ts'
import type { Extraction } from '../contract.ts'
import { textHash } from './text-hash.ts'

/** A memory that is claimed to be read comes with this. */
interface ReadingRow {
  readonly user_id: string
  /** Names its former extractor; null when there was none. */
  readonly extracted_by: string | null
  /** When its text was said. */
  readonly stated_at: Date
  /** The extraction that a model made of this text before; null where none did. */
  readonly extraction: Extraction | null
  /** Counts the readings that failed since the last that did not. */
  readonly failures: number
}

/** A memory that is to be read, this process's for a while; `id` is the memory's. */
export type Reading = Claim<ReadingRow>

export type Readings = LeasedWork<ReadingRow>

/** Those that were stored while the graph was switched off go behind what comes now. */
const BEHIND = 1

/** The memories that wait to be read. */
export function openReadings(options: Pick<LeasedWorkOptions, 'measure' | 'clock'> = {}): Readings {
  return leasedWork<ReadingRow>({
    table: 'graph.reading',
    key: 'memory_id',
    columns: ['user_id', 'extracted_by', 'stated_at', 'extraction', 'failures'],
    ranks: [0, BEHIND],
    leaseMs: 30_000,
    ...options,
  })
}

/** Notes memories as to be read, unless their text, categories and time were read already; `behind` others if they are new here. */
export async function enqueueReadings(
  tx: Tx,
  memories: readonly MemoryRecord[],
  { behind = false }: { readonly behind?: boolean } = {},
): Promise<void> {
  const unchanged = tx`
    (reading.text_hash, reading.categories, reading.stated_at)
      is not distinct from (excluded.text_hash, excluded.categories, excluded.stated_at)`
  const isSaidAlike = tx`(reading.text_hash, reading.stated_at) = (excluded.text_hash, excluded.stated_at)`
  await insertRows(
    tx,
    memories,
    ({ workspaceId, id, userId, revision, text, categories, ...memory }) => tx`(
      ${workspaceId}, ${id}, ${userId}, ${revision}, ${textHash(text)}, ${textArray(categories)}::text::text[],
      ${statedAt(memory).toISOString()}, ${behind ? BEHIND : 0}
    )`,
    values => tx`
    insert into graph.reading as reading (
      workspace_id, memory_id, user_id, revision, text_hash, categories, stated_at, rank
    )
    values ${values}
    on conflict (workspace_id, memory_id) do update
    set
      ${queueAgain(tx, 'reading', tx`reading.read_at is null or not ${unchanged}`, tx`excluded.due_at`)},
      failures = case when ${unchanged} then reading.failures else 0 end,
      waiting_since = case
        when reading.extracted_by is null and reading.due_at is not null then reading.waiting_since
        else excluded.waiting_since
      end,
      revision = excluded.revision,
      text_hash = excluded.text_hash,
      categories = excluded.categories,
      stated_at = excluded.stated_at,
      -- So that what is read now replaces what was, also of a text that changed while nobody took its facts back.
      extracted_by = case when ${unchanged} then reading.extracted_by end,
      -- Words such as "last year" mean another year when said at another time.
      extraction = case when ${isSaidAlike} then reading.extraction end,
      rank = excluded.rank`,
  )
}

/** Counts the memories that wait behind others, up to `max`. */
export async function countBehind(tx: Tx, workspaceId: string, max: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count
    from (
      select reading.memory_id
      from graph.reading
      where reading.workspace_id = ${workspaceId}
        and reading.rank = ${BEHIND}
        and reading.due_at is not null
      limit ${max}
    ) as counted`
  return row?.count ?? 0
}

/** A memory that was read, and by whom. `againInMs` tells in how many milliseconds it should be read again, by a better reader. */
export interface ReadingDone {
  readonly claim: Reading
  readonly revision: number
  readonly extractedBy: string
  readonly againInMs: number | null
  /** Kept so that the unchanged text is not paid for twice; null where reading it costs nothing. */
  readonly extraction: Extraction | null
}

export async function finishReadings(
  tx: Tx,
  readings: Readings,
  workspaceId: string,
  done: readonly ReadingDone[],
): Promise<void> {
  const rows = done.map(({ claim, revision, extractedBy, extraction }) => ({
    memory_id: claim.id,
    revision,
    extracted_by: extractedBy,
    extraction,
  }))
  await tx`
    update graph.reading
    set
      revision = done.revision, extracted_by = done.extracted_by, read_at = now(), rank = 0, failures = 0,
      extraction = nullif(done.extraction, 'null'::jsonb)
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as done (
      memory_id uuid, revision integer, extracted_by text, extraction jsonb
    )
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = done.memory_id`
  const later = done.flatMap(({ claim, againInMs }) => (againInMs === null ? [] : [{ claim, inMs: againInMs }]))
  const over = done.flatMap(({ claim, againInMs }) => (againInMs === null ? [claim] : []))
  await Promise.all([readings.finish(tx, over), readings.postpone(tx, later)])
}

/** Notes that a reading failed, and lets it be due again; without a time it is given up until its text is queued again. */
export async function failReading(
  tx: Tx,
  readings: Readings,
  claim: Reading,
  { againInMs, reason }: { readonly againInMs: number | null; readonly reason: string },
): Promise<void> {
  const givesUp = againInMs === null
  const held = givesUp
    ? await readings.giveUp(tx, [claim], reason)
    : await readings.postpone(tx, [{ claim, inMs: againInMs, reason }])
  if (held.length === 0) return
  await tx`
    update graph.reading
    set failures = case when ${givesUp} then 0 else reading.failures + 1 end
    where reading.workspace_id = ${claim.workspaceId}
      and reading.memory_id = ${claim.id}`
}

export async function forgetReadings(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<void> {
  if (memoryIds.length === 0) return
  await tx`
    delete from graph.reading
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = any(${plainArray(memoryIds)}::uuid[])`
}

/** Those among some memories that are noted and were read before; undefined ones are gone. */
export async function noted(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await tx<{ memory_id: string; was_read: boolean }[]>`
    select reading.memory_id, reading.read_at is not null as was_read
    from graph.reading
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = any(${plainArray(memoryIds)}::uuid[])
    order by reading.memory_id
    for update`
  return new Map(rows.map(row => [row.memory_id, row.was_read]))
}
