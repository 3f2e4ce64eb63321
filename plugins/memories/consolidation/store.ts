import { plainArray, type Tx, textArray } from 'mneme/plugin'
import { v7 } from 'uuid'
import type { MemoryRecord, Priority } from '../contract.ts'
import { type MemoryRow, recordColumns, toRecord } from '../queries/rows.ts'
import type { Likeness } from './likeness.ts'
import type { Marks, Merge } from './merges.ts'

/** A memory with what consolidation keeps of it. */
export interface ConsolidationRow {
  readonly record: MemoryRecord
  readonly likeness: Likeness | null
  readonly keptApart: boolean
  /** What it had before it gained any from others. */
  readonly own: { readonly categories: readonly string[] | null; readonly priority: Priority | null }
}

interface StoredRow extends MemoryRow {
  likeness: Likeness | null
  kept_apart: boolean
  own_categories: string[] | null
  own_priority: Priority | null
}

/** Near-duplicates looked at in one pass at the most, the oldest; there are more only where consolidation was off. */
const ALIKE_MAX = 256

/**
 * Locks memories that are being processed and every completed one that is a near-duplicate of one of them. Passes with
 * near-duplicates in common take turns, so that each sees what the one before it completed.
 */
export async function lockWithAlike(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  likenesses: readonly Likeness[],
): Promise<ConsolidationRow[]> {
  const keys = [...new Set(likenesses)].sort()
  const [, rows] = await Promise.all([
    takeTurns(tx, keys),
    // Rows are locked by ascending id, as in every statement that locks many, so that none waits in a circle. One by one: the
    // planner takes a workspace for small and would rather walk through all of it.
    tx<(StoredRow & { live: boolean })[]>`
      select found.*
      from (
        select unnest(${plainArray(ids)}::uuid[]) as id
        union
        select alike.id from (${completedAlike(tx, workspaceId, keys)}) as alike
        order by id
      ) as wanted
      cross join lateral (
        select ${consolidationColumns(tx)}, memory.live
        from memories.memory
        where memory.workspace_id = ${workspaceId}
          and memory.id = wanted.id
        for update of memory
      ) as found`,
  ])
  // As they are now that they are locked: some may have changed while this waited.
  return rows
    .filter(({ live, status }) => live && (status === 'PROCESSING' || status === 'COMPLETED'))
    .map(toConsolidationRow)
}

/** Materialized: the planner would rather walk through all memories in the order asked for, in the hope of meeting a few. */
function completedAlike(tx: Tx, workspaceId: string, keys: readonly Likeness[]) {
  return tx`
    with alike as materialized (
      select memory.id, memory.created_at
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.likeness = any(${textArray(keys.map(key => `\\x${key}`))}::bytea[])
        and memory.live
        and memory.status = 'COMPLETED'
        and (memory.expires_at is null or memory.expires_at > now())
    )
    select alike.id
    from alike
    order by alike.created_at, alike.id
    limit ${ALIKE_MAX}`
}

/** A statement of its own: the one behind it takes its snapshot when the locks are held. */
function takeTurns(tx: Tx, sorted: readonly Likeness[]) {
  const numbers = sorted.map(key => String(BigInt.asIntN(64, BigInt(`0x${key.slice(0, 16)}`))))
  return tx`select pg_advisory_xact_lock(turn.key) from unnest(${plainArray(numbers)}::bigint[]) as turn (key)`
}

/** Takes the absorbed memories out of lists and notes in each survivor's history what it stands for from now on. */
export async function storeMerges(tx: Tx, workspaceId: string, merges: readonly Merge[], now: Date): Promise<void> {
  const pairs = merges.flatMap(({ survivor, absorbed }) => absorbed.map(one => ({ survivor, absorbed: one })))
  const events = pairs.map(pair => ({
    memory_id: pair.survivor.id,
    id: v7(),
    text: pair.survivor.text,
    revision: pair.survivor.revision,
    absorbed_id: pair.absorbed.id,
  }))
  await Promise.all([
    tx`
      update memories.memory
      set live = false, consolidated_into = pair.survivor_id, status = 'COMPLETED', error = null
      from unnest(
        ${plainArray(pairs.map(pair => pair.absorbed.id))}::uuid[],
        ${plainArray(pairs.map(pair => pair.survivor.id))}::uuid[]
      ) as pair (id, survivor_id)
      where memory.workspace_id = ${workspaceId}
        and memory.id = pair.id`,
    // Nothing is taken from the absorbed text: a survivor's own says the same.
    tx`
      insert into memories.history (
        workspace_id, memory_id, id, event, old_content, new_content, revision, absorbed_id, created_at
      )
      select
        ${workspaceId}::uuid, given.memory_id, given.id, 'CONSOLIDATED', given.text, given.text, given.revision,
        given.absorbed_id, ${now}
      from jsonb_to_recordset(${JSON.stringify(events)}::text::jsonb) as given (
        memory_id uuid, id uuid, text text, revision integer, absorbed_id uuid
      )`,
    // What was just said again is not old, whatever deletes old memories.
    tx`
      update memories.memory
      set updated_at = greatest(${now}, memory.updated_at)
      where memory.workspace_id = ${workspaceId}
        and memory.id = any(${plainArray(merges.map(({ survivor }) => survivor.id))}::uuid[])`,
  ])
}

/** What becomes of the memory of what it had itself: kept from the first gain on, forgotten with the last one. */
type OwnMarks = 'kept' | 'forgotten'

/** Gives a memory other marks and, where it is live, queues it again. The caller holds the row's lock. */
export async function setMarks(
  tx: Tx,
  workspaceId: string,
  id: string,
  { categories, priority }: Marks,
  own: OwnMarks,
  now: Date,
): Promise<MemoryRecord> {
  const kept = own === 'kept'
  const [row] = await tx<MemoryRow[]>`
    update memories.memory
    set
      categories = ${textArray(categories)}::text[],
      priority = ${priority},
      own_categories = ${kept ? tx`coalesce(memory.own_categories, memory.categories)` : tx`null`},
      own_priority = ${kept ? tx`coalesce(memory.own_priority, memory.priority)` : tx`null`},
      updated_at = greatest(${now}, memory.updated_at),
      status = case when memory.live then 'PENDING' else memory.status end,
      error = case when memory.live then null else memory.error end,
      progress_at = ${now}
    where memory.workspace_id = ${workspaceId}
      and memory.id = ${id}
    returning ${recordColumns(tx)}`
  if (!row) throw new Error('a memory that is locked is gone')
  return toRecord(row)
}

/** Survivors that were absorbed themselves; more follow one another only by chance. */
const CHAIN_MAX = 20

/** A memory and those it lives on in, each behind what it absorbed, locked. Empty when there is none of this id. */
export async function lockChain(tx: Tx, workspaceId: string, id: string): Promise<ConsolidationRow[]> {
  const rows = await tx<StoredRow[]>`
    with recursive chain as (
      select memory.id, memory.consolidated_into, 1 as depth
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = ${id}
      union all
      select memory.id, memory.consolidated_into, chain.depth + 1
      from chain
      join memories.memory on memory.workspace_id = ${workspaceId} and memory.id = chain.consolidated_into
      where chain.depth < ${CHAIN_MAX}
    )
    select ${consolidationColumns(tx)}
    from memories.memory
    join chain on chain.id = memory.id
    where memory.workspace_id = ${workspaceId}
    order by memory.id
    for update of memory`
  const byId = new Map(rows.map(row => [row.id, toConsolidationRow(row)]))
  const chain: ConsolidationRow[] = []
  for (let next = byId.get(id.toLowerCase()); next; next = byId.get(next.record.consolidatedInto ?? ''))
    chain.push(next)
  return chain
}

/** The marks of what a memory absorbed, but for one. */
export async function findAbsorbedMarks(
  tx: Tx,
  workspaceId: string,
  survivorId: string,
  but: string,
): Promise<Marks[]> {
  return tx<Marks[]>`
    select to_json(memory.categories) as categories, memory.priority
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.consolidated_into = ${survivorId}
      and memory.id <> ${but}`
}

/**
 * Makes an absorbed memory live again and queues it, with nothing of what it says changed. The caller holds the row's lock.
 * A text that another live memory has meanwhile violates `memory_content_unique`.
 */
export async function bringBack(tx: Tx, workspaceId: string, id: string, now: Date): Promise<MemoryRecord> {
  const [row] = await tx<MemoryRow[]>`
    with restored as (
      update memories.memory
      set live = true, consolidated_into = null, kept_apart = true, status = 'PENDING', error = null, progress_at = ${now}
      where memory.workspace_id = ${workspaceId}
        and memory.id = ${id}
      returning memory.*
    ),
    trail as (
      insert into memories.history (workspace_id, memory_id, id, event, old_content, new_content, revision, created_at)
      select ${workspaceId}::uuid, restored.id, ${v7()}::uuid, 'RESTORED', restored.text, restored.text, restored.revision, ${now}
      from restored
    )
    select ${recordColumns(tx)}
    from restored as memory`
  if (!row) throw new Error('a memory that is locked is gone')
  return toRecord(row)
}

function consolidationColumns(tx: Tx) {
  return tx`
    ${recordColumns(tx)}, encode(memory.likeness, 'hex') as likeness, memory.kept_apart,
    to_json(memory.own_categories) as own_categories, memory.own_priority`
}

function toConsolidationRow(row: StoredRow): ConsolidationRow {
  return {
    record: toRecord(row),
    likeness: row.likeness,
    keptApart: row.kept_apart,
    own: { categories: row.own_categories, priority: row.own_priority },
  }
}
