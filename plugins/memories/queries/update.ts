import { type Tenant, type Tx, textArray } from 'mneme/plugin'
import type { PendingQuery, Row } from 'postgres'
import { v7 } from 'uuid'
import type { MemoryRecord } from '../contract.ts'
import type { MemoryChange } from '../request/bodies.ts'
import { contentHash } from '../storing/content-hash.ts'
import { withinOf } from './insert.ts'
import { recordColumns } from './rows.ts'

/** An updated record with the names of the fields whose values changed. */
export interface UpdatedMemory {
  readonly record: MemoryRecord
  readonly changed: readonly string[]
}

interface UpdatedRow extends MemoryRecord {
  memory_changed: boolean
  priority_changed: boolean
  categories_changed: boolean
  metadata_changed: boolean
}

/**
 * Writes a change with its history and queues the memory again. The caller holds the row's lock. If another live memory has the text, the
 * constraint `memory_content_unique` is violated.
 */
export async function updateMemory(
  tx: Tx,
  tenant: Tenant,
  id: string,
  change: MemoryChange,
  now: Date,
): Promise<UpdatedMemory | undefined> {
  const { workspaceId } = tenant
  const [, [row]] = await Promise.all([
    // Before the change, which takes the former text away.
    tx`
      insert into memories.history (workspace_id, memory_id, id, event, old_content, new_content, revision, created_at)
      select
        memory.workspace_id, memory.id, ${v7()}::uuid, 'UPDATED', memory.text, ${change.text}::text, memory.revision + 1,
        greatest(${now}, memory.updated_at)
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = ${id}`,
    tx<UpdatedRow[]>`
      with old as (
        select memory.id, memory.text, memory.priority, memory.categories, memory.metadata
        from memories.memory
        where memory.workspace_id = ${workspaceId}
          and memory.id = ${id}
      ),
      changed as (
        update memories.memory
        set ${newValues(tx, tenant, change, now)}
        where memory.workspace_id = ${workspaceId}
          and memory.id = ${id}
        returning memory.*
      )
      select
        ${recordColumns(tx)},
        memory.text <> old.text as memory_changed,
        memory.priority <> old.priority as priority_changed,
        memory.categories <> old.categories as categories_changed,
        memory.metadata is distinct from old.metadata as metadata_changed
      from changed as memory
      join old on old.id = memory.id`,
  ])
  if (!row) return undefined
  const { memory_changed: memory, priority_changed: priority, categories_changed: categories, ...rest } = row
  const { metadata_changed: metadata, ...record } = rest
  const changed = Object.entries({ memory, priority, categories, metadata })
  return { record, changed: changed.flatMap(([field, isChanged]) => (isChanged ? [field] : [])) }
}

function newValues(tx: Tx, tenant: Tenant, { text, priority, categories, metadata }: MemoryChange, now: Date) {
  const hash = contentHash(text)
  return tx`
    text = ${text},
    content_hash = ${hash},
    unique_within = case when memory.content_hash = ${hash} then memory.unique_within else ${withinOf(tx, tenant)} end,
    kept_apart = memory.kept_apart and memory.text = ${text},
    text_changed_at = case
      when memory.text = ${text} then memory.text_changed_at
      else greatest(${now}, memory.updated_at)
    end,
    ${priority === undefined ? tx`` : tx`priority = ${priority}, own_priority = null,`}
    ${categories === undefined ? tx`` : tx`categories = ${textArray(categories)}::text[], own_categories = null,`}
    ${metadata === undefined ? tx`` : tx`metadata = ${metadata && JSON.stringify(metadata)}::text::jsonb,`}
    revision = memory.revision + 1,
    updated_at = greatest(${now}, memory.updated_at),
    ${queued(tx, now)}`
}

/** Makes a TASK memory permanent, with what it absorbed, and queues it again. The caller holds the row's lock. */
export async function promoteMemory(
  tx: Tx,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<MemoryRecord | undefined> {
  const permanent = tx`layer = 'RAW', expires_at = null`
  const values = tx`${permanent}, updated_at = greatest(${now}, memory.updated_at), ${queued(tx, now)}`
  const [record] = await Promise.all([
    setValues(tx, workspaceId, id, values),
    // Absorbed memories have their survivor's expiry, and would be deleted by it.
    tx`
      with recursive absorbed as (
        select memory.id
        from memories.memory
        where memory.workspace_id = ${workspaceId}
          and memory.consolidated_into = ${id}
        union
        select memory.id
        from absorbed
        join memories.memory on memory.workspace_id = ${workspaceId} and memory.consolidated_into = absorbed.id
      )
      update memories.memory
      set ${permanent}
      from absorbed
      where memory.workspace_id = ${workspaceId}
        and memory.id = absorbed.id`,
  ])
  return record
}

/** Queues a memory again without changing it. The caller holds the row's lock. */
export async function requeueMemory(
  tx: Tx,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<MemoryRecord | undefined> {
  return setValues(tx, workspaceId, id, queued(tx, now))
}

/** Builds the assignments that return a memory to PENDING. */
export function queued(tx: Tx, now: Date) {
  return tx`status = 'PENDING', error = null, progress_at = ${now}, waiting_since = ${now}`
}

async function setValues(
  tx: Tx,
  workspaceId: string,
  id: string,
  values: PendingQuery<Row[]>,
): Promise<MemoryRecord | undefined> {
  const [row] = await tx<MemoryRecord[]>`
    with changed as (
      update memories.memory
      set ${values}
      where memory.workspace_id = ${workspaceId}
        and memory.id = ${id}
      returning memory.*
    )
    select ${recordColumns(tx)} from changed as memory`
  return row
}

/** Counts a feedback signal. The caller holds the row's lock. */
export async function countFeedback(
  tx: Tx,
  workspaceId: string,
  id: string,
  signal: 'POSITIVE' | 'NEGATIVE' | 'NEUTRAL',
  now: Date,
): Promise<string | undefined> {
  const [row] = await tx<{ user_id: string }[]>`
    update memories.memory
    set
      feedback_positive = memory.feedback_positive + ${signal === 'POSITIVE' ? 1 : 0}::integer,
      feedback_negative = memory.feedback_negative + ${signal === 'NEGATIVE' ? 1 : 0}::integer,
      feedback_neutral = memory.feedback_neutral + ${signal === 'NEUTRAL' ? 1 : 0}::integer,
      feedback_last_signal = ${signal},
      feedback_last_at = ${now}
    where memory.workspace_id = ${workspaceId}
      and memory.id = ${id}
    returning memory.user_id`
  return row?.user_id
}
