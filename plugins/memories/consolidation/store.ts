import { insertRows, plainArray, type Tenant, type Tx, textArray } from 'mneme/plugin'
import { v7 } from 'uuid'
import type { MemoryRecord, Priority } from '../contract.ts'
import { withinOf } from '../queries/insert.ts'
import { recordColumns } from '../queries/rows.ts'
import type { Likeness } from './likeness.ts'
import type { InheritedFields, Merge } from './merges.ts'

/** A memory with the columns that consolidation maintains. */
export interface ConsolidationRow {
  readonly record: MemoryRecord
  readonly likeness: Likeness | null
  readonly keptApart: boolean
  /** The values from before the memory gained any from others. */
  readonly own: { readonly categories: readonly string[] | null; readonly priority: Priority | null }
}

interface StoredRow extends MemoryRecord {
  likeness: Likeness | null
  kept_apart: boolean
  own_categories: string[] | null
  own_priority: Priority | null
}

/** A pass looks at this many near-duplicates at most, the oldest first. More accumulate only while consolidation is off. */
const NEAR_DUPLICATES_MAX = 256

/**
 * Locks memories that are being processed and every completed near-duplicate of one of them. Passes with common near-duplicates run one
 * after the other, so each sees what the previous one completed.
 */
export async function lockWithNearDuplicates(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  likenesses: readonly Likeness[],
): Promise<ConsolidationRow[]> {
  const keys = [...new Set(likenesses)].sort()
  const [, rows] = await Promise.all([
    lockKeys(tx, keys),
    // Rows are locked in ascending order of id, as in every statement that locks many, which rules out a deadlock. The lateral join forces
    // look-ups by id: the planner underestimates a workspace and would scan all of it.
    tx<(StoredRow & { live: boolean })[]>`
      select found.*
      from (
        select unnest(${plainArray(ids)}::uuid[]) as id
        union
        select alike.id from (${completedNearDuplicates(tx, workspaceId, keys)}) as alike
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
  // The locked rows are current; some may have changed while this transaction waited for them.
  return rows
    .filter(({ live, status }) => live && (status === 'PROCESSING' || status === 'COMPLETED'))
    .map(toConsolidationRow)
}

/**
 * The CTE is materialized because the planner would otherwise walk all memories in the requested order until it meets a few that match, and
 * the lateral query ends with an offset so that it stays a look-up by likeness, however few memories the planner believes there are.
 */
function completedNearDuplicates(tx: Tx, workspaceId: string, keys: readonly Likeness[]) {
  return tx`
    with alike as materialized (
      select found.id, found.created_at
      from unnest(${textArray(keys.map(key => `\\x${key}`))}::bytea[]) as wanted (likeness)
      cross join lateral (
        select memory.id, memory.created_at
        from memories.memory
        where memory.workspace_id = ${workspaceId}
          and memory.likeness = wanted.likeness
          and memory.live
          and memory.status = 'COMPLETED'
          and (memory.expires_at is null or memory.expires_at > now())
        offset 0
      ) as found
    )
    select alike.id
    from alike
    order by alike.created_at, alike.id
    limit ${NEAR_DUPLICATES_MAX}`
}

/** This is a separate statement, so that the next one takes its snapshot after the locks are held. */
function lockKeys(tx: Tx, sorted: readonly Likeness[]) {
  const numbers = sorted.map(key => String(BigInt.asIntN(64, BigInt(`0x${key.slice(0, 16)}`))))
  return tx`select pg_advisory_xact_lock(turn.key) from unnest(${plainArray(numbers)}::bigint[]) as turn (key)`
}

/** Removes absorbed memories from lists and records each merge in the survivor's history. */
export async function storeMerges(tx: Tx, workspaceId: string, merges: readonly Merge[], now: Date): Promise<void> {
  const pairs = merges.flatMap(({ survivor, absorbed }) => absorbed.map(one => ({ survivor, absorbed: one })))
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
    // The event has the absorbed text as the old one, and is erased with the absorbed memory.
    insertRows(
      tx,
      pairs,
      ({ survivor, absorbed }) => tx`(
        ${workspaceId}, ${survivor.id}, ${v7()}, 'CONSOLIDATED', ${absorbed.text}, ${survivor.text}, ${survivor.revision},
        ${absorbed.id}, ${now}
      )`,
      values => tx`
        insert into memories.history (
          workspace_id, memory_id, id, event, old_content, new_content, revision, absorbed_id, created_at
        )
        values ${values}`,
    ),
    // A repeated statement counts as recent, so retention must not delete the survivor for its age.
    tx`
      update memories.memory
      set updated_at = greatest(${now}, memory.updated_at)
      where memory.workspace_id = ${workspaceId}
        and memory.id = any(${plainArray(merges.map(({ survivor }) => survivor.id))}::uuid[])`,
  ])
}

/** `kept` saves a memory's own values at its first gain; `forgotten` drops them after its last gain is taken back. */
type OwnValues = 'kept' | 'forgotten'

/** Sets the inherited fields of a memory and queues it again where it is live. The caller holds the row's lock. */
export async function setInheritedFields(
  tx: Tx,
  workspaceId: string,
  id: string,
  { categories, priority }: InheritedFields,
  own: OwnValues,
  now: Date,
): Promise<MemoryRecord> {
  const kept = own === 'kept'
  const [row] = await tx<MemoryRecord[]>`
    with changed as (
      update memories.memory
      set
        categories = ${textArray(categories)}::text[],
        priority = ${priority},
        own_categories = ${kept ? tx`coalesce(memory.own_categories, memory.categories)` : tx`null`},
        own_priority = ${kept ? tx`coalesce(memory.own_priority, memory.priority)` : tx`null`},
        updated_at = greatest(${now}, memory.updated_at),
        status = case when memory.live then 'PENDING' else memory.status end,
        error = case when memory.live then null else memory.error end,
        progress_at = ${now},
        waiting_since = ${now}
      where memory.workspace_id = ${workspaceId}
        and memory.id = ${id}
      returning memory.*
    )
    select ${recordColumns(tx)} from changed as memory`
  if (!row) throw new Error('a memory that is locked is gone')
  return row
}

/** The number of survivors followed in a row is bounded; chains this long occur only by accident. */
const CHAIN_MAX = 20

/** Locks a memory and the survivors it went into, in that order. Empty when the workspace has no memory of this id. */
export async function lockChain(tx: Tx, workspaceId: string, id: string): Promise<ConsolidationRow[]> {
  let chain = await lockKnownChain(tx, workspaceId, id)
  while (chain.at(-1)?.record.consolidatedInto) {
    // A merge that ended while this waited for its locks is in the snapshot of a later statement only.
    const longer = await lockKnownChain(tx, workspaceId, id)
    if (longer.length <= chain.length) break
    chain = longer
  }
  return chain
}

/** Locks as much of the chain as was committed when the statement began. */
async function lockKnownChain(tx: Tx, workspaceId: string, id: string): Promise<ConsolidationRow[]> {
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
  const chain = new Set<ConsolidationRow>()
  // Imports in parts can bring memories that were merged into each other.
  for (
    let next = byId.get(id.toLowerCase());
    next && !chain.has(next);
    next = byId.get(next.record.consolidatedInto ?? '')
  )
    chain.add(next)
  return [...chain]
}

/** Reads the inherited fields of the memories that a survivor absorbed, except one. */
export async function findAbsorbedFields(
  tx: Tx,
  workspaceId: string,
  survivorId: string,
  but: string,
): Promise<InheritedFields[]> {
  return tx<InheritedFields[]>`
    select to_json(memory.categories) as categories, memory.priority
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.consolidated_into = ${survivorId}
      and memory.id <> ${but}`
}

/**
 * Makes an absorbed memory live again and queues it with unchanged content. The caller holds the row's lock. If another live memory has the
 * text, the constraint `memory_content_unique` is violated.
 */
export async function reactivate(tx: Tx, tenant: Tenant, id: string, now: Date): Promise<MemoryRecord> {
  const { workspaceId } = tenant
  const [[row]] = await Promise.all([
    tx<MemoryRecord[]>`
    with restored as (
      update memories.memory
      set live = true, unique_within = ${withinOf(tx, tenant)}, consolidated_into = null, kept_apart = true, status = 'PENDING', error = null, progress_at = ${now},
        waiting_since = ${now}
      where memory.workspace_id = ${workspaceId}
        and memory.id = ${id}
      returning memory.*
    )
    select ${recordColumns(tx)}
    from restored as memory`,
    tx`
      insert into memories.history (workspace_id, memory_id, id, event, old_content, new_content, revision, created_at)
      select memory.workspace_id, memory.id, ${v7()}::uuid, 'RESTORED', memory.text, memory.text, memory.revision, ${now}::timestamptz
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = ${id}`,
  ])
  if (!row) throw new Error('a memory that is locked is gone')
  return row
}

function consolidationColumns(tx: Tx) {
  return tx`
    ${recordColumns(tx)}, encode(memory.likeness, 'hex') as likeness, memory.kept_apart,
    to_json(memory.own_categories) as own_categories, memory.own_priority`
}

function toConsolidationRow(row: StoredRow): ConsolidationRow {
  const { likeness, kept_apart: keptApart, own_categories: categories, own_priority: priority, ...record } = row
  return { record, likeness, keptApart, own: { categories, priority } }
}
