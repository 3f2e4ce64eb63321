import { plainArray, type Tx } from 'mneme/plugin'
import type { MemoryRecord } from '../../memories/contract.ts'
import { statedAt } from '../stated-at.ts'
import { textHash } from './text-hash.ts'

/** A memory that is to be read, taken for a while. */
export interface Claim {
  readonly memoryId: string
  readonly userId: string
  /** How often it was taken since it was last read. */
  readonly attempts: number
  /** Who read it before; null when nobody did. */
  readonly extractedBy: string | null
  /** When its text was said. */
  readonly statedAt: Date
}

/**
 * What is taken is due again after this time unless its reader holds on to it ({@link holdReadings}): as soon as the lease of a killed
 * process has run out as well.
 */
const TAKEN_SECONDS = 30
/** How often a reader holds on, so that one late turn or a short outage costs it nothing. */
export const HOLD_EVERY_MS = 8_000

/** Notes memories as to be read, unless their text and categories were read already; `behind` others if they are new here. */
export async function enqueueReadings(
  tx: Tx,
  memories: readonly MemoryRecord[],
  { behind = false }: { readonly behind?: boolean } = {},
): Promise<void> {
  const [first] = memories
  if (!first) return
  const rows = memories.map(memory => ({
    memory_id: memory.id,
    user_id: memory.userId,
    revision: memory.revision,
    text_hash: textHash(memory.text),
    categories: memory.categories,
    stated_at: statedAt(memory),
  }))
  await tx`
    insert into graph.reading as reading (
      workspace_id, memory_id, user_id, revision, waiting, due_at, text_hash, categories, stated_at, behind
    )
    select
      ${first.workspaceId}, new.memory_id, new.user_id, new.revision, true, now(), new.text_hash, new.categories,
      new.stated_at, ${behind}::boolean
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (
      memory_id uuid, user_id text, revision integer, text_hash text, categories text[], stated_at timestamptz
    )
    on conflict (workspace_id, memory_id) do update
    set
      revision = excluded.revision,
      text_hash = excluded.text_hash,
      categories = excluded.categories,
      stated_at = case when reading.text_hash = excluded.text_hash then reading.stated_at else excluded.stated_at end,
      waiting = reading.waiting or reading.read_at is null or (reading.text_hash, reading.categories)
        is distinct from (excluded.text_hash, excluded.categories),
      due_at = case
        when reading.read_at is not null
          and (reading.text_hash, reading.categories) is not distinct from (excluded.text_hash, excluded.categories)
          then reading.due_at
        else excluded.due_at
      end,
      attempts = case when reading.read_at is null then 0 else reading.attempts end,
      -- So that what is read now replaces what was, also of a text that changed while nobody took its facts back.
      extracted_by = case
        when (reading.text_hash, reading.categories) is not distinct from (excluded.text_hash, excluded.categories)
          then reading.extracted_by
      end,
      behind = excluded.behind`
}

/** Takes memories that are due, the longest waiting first, those behind others last. Others take others meanwhile. */
export async function claimReadings(tx: Tx, workspaceId: string, limit: number): Promise<Claim[]> {
  const rows = await tx<
    { memory_id: string; user_id: string; attempts: number; extracted_by: string | null; stated_at: Date }[]
  >`
    with first as (
      select reading.memory_id
      from graph.reading
      where reading.workspace_id = ${workspaceId}
        and reading.waiting
        and not reading.behind
        and reading.due_at <= now()
      order by reading.due_at
      limit ${limit}
      for update skip locked
    ),
    last as (
      select reading.memory_id
      from graph.reading
      where reading.workspace_id = ${workspaceId}
        and reading.waiting
        and reading.behind
        and reading.due_at <= now()
      order by reading.due_at
      limit ${limit}::integer - (select count(*) from first)
      for update skip locked
    ),
    due as (select first.memory_id from first union all select last.memory_id from last)
    update graph.reading
    set due_at = now() + make_interval(secs => ${TAKEN_SECONDS}), attempts = reading.attempts + 1
    from due
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = due.memory_id
    returning reading.memory_id, reading.user_id, reading.attempts, reading.extracted_by, reading.stated_at`
  return rows
    .map(row => ({
      memoryId: row.memory_id,
      userId: row.user_id,
      attempts: row.attempts,
      extractedBy: row.extracted_by,
      statedAt: row.stated_at,
    }))
    .toSorted((a, b) => a.statedAt.getTime() - b.statedAt.getTime() || (a.memoryId < b.memoryId ? -1 : 1))
}

/** Keeps what was taken from being due while it is being read. */
export async function holdReadings(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<void> {
  await tx`
    update graph.reading
    set due_at = now() + make_interval(secs => ${TAKEN_SECONDS})
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = any(${plainArray(memoryIds)}::uuid[])
      and reading.waiting
      and reading.attempts > 0
      and reading.due_at > now()`
}

/** When the next memory of a workspace is due that is not yet: in `withinMs` at the most, else undefined. */
export async function nextDue(tx: Tx, workspaceId: string, withinMs: number): Promise<Date | undefined> {
  const [row] = await tx<{ due_at: Date | null }[]>`
    select least(
      (
        select min(reading.due_at)
        from graph.reading
        where reading.workspace_id = ${workspaceId}
          and reading.waiting
          and not reading.behind
      ),
      (
        select min(reading.due_at)
        from graph.reading
        where reading.workspace_id = ${workspaceId}
          and reading.waiting
          and reading.behind
      )
    ) as due_at`
  const dueAt = row?.due_at
  return dueAt && dueAt.getTime() < Date.now() + withinMs ? dueAt : undefined
}

/** How many memories wait behind others; counted up to `max`. */
export async function countBehind(tx: Tx, workspaceId: string, max: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count
    from (
      select
      from graph.reading
      where reading.workspace_id = ${workspaceId}
        and reading.waiting
        and reading.behind
      limit ${max}
    ) as counted`
  return row?.count ?? 0
}

/** Puts back what was taken and not read, as if it had not been taken. */
export async function releaseReadings(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<void> {
  await tx`
    update graph.reading
    set due_at = now(), attempts = greatest(reading.attempts - 1, 0)
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = any(${plainArray(memoryIds)}::uuid[])
      and reading.waiting`
}

/** Of what was read: by whom. `again` tells when it should be read again, by a better reader. */
export interface ReadingDone {
  readonly memoryId: string
  readonly revision: number
  readonly extractedBy: string
  readonly again: Date | null
}

export async function finishReadings(tx: Tx, workspaceId: string, done: readonly ReadingDone[]): Promise<void> {
  const rows = done.map(one => ({
    memory_id: one.memoryId,
    revision: one.revision,
    extracted_by: one.extractedBy,
    again: one.again,
  }))
  await tx`
    update graph.reading
    set
      revision = done.revision, extracted_by = done.extracted_by, read_at = now(), waiting = done.again is not null,
      due_at = coalesce(done.again, now()), behind = false, attempts = case when done.again is null then 0 else reading.attempts end
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as done (
      memory_id uuid, revision integer, extracted_by text, again timestamptz
    )
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = done.memory_id`
}

/** Spaces out the next try of what could not be read; without `again` it is given up. */
export async function postponeReading(
  tx: Tx,
  workspaceId: string,
  memoryId: string,
  again: Date | null,
): Promise<void> {
  await tx`
    update graph.reading
    set waiting = ${again !== null}, due_at = coalesce(${again}::timestamptz, now()), behind = false
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = ${memoryId}`
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
