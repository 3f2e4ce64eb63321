import { type Tx, textArray } from 'mneme/plugin'
import type { ArchivedEvent, ArchivedMemory, ArchiveScope } from '../contract.ts'
import { eventBytes } from '../queries/history.ts'

interface ArchiveRow
  extends Omit<
    ArchivedMemory,
    'created_at' | 'updated_at' | 'text_changed_at' | 'expires_at' | 'last_accessed_at' | 'feedback' | 'history'
  > {
  created_at: Date
  updated_at: Date
  text_changed_at: Date | null
  expires_at: Date | null
  last_accessed_at: Date | null
  feedback_positive: number
  feedback_negative: number
  feedback_neutral: number
  feedback_last_signal: 'POSITIVE' | 'NEGATIVE' | 'NEUTRAL' | null
  feedback_last_at: Date | null
}

interface EventRow extends Omit<ArchivedEvent, 'created_at'> {
  memory_id: string
  created_at: Date
}

export async function countArchived(tx: Tx, workspaceId: string, scope: ArchiveScope): Promise<number> {
  const [row] = await tx<{ total: number }[]>`
    select count(*)::int as total
    from memories.memory
    where memory.workspace_id = ${workspaceId} ${inScope(tx, scope)}`
  return row?.total ?? 0
}

export async function lastIdOf(tx: Tx, workspaceId: string): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select memory.id
    from memories.memory
    where memory.workspace_id = ${workspaceId}
    order by memory.id desc
    limit 1`
  return row?.id
}

/** The texts of a page, with those of the histories that stand in it, have about this size. */
const PAGE_BYTES = 2 * 1024 * 1024
/** A part of a long history has at most so much text, or is a single event; more events are not looked at together. */
const PART_BYTES = 256 * 1024
const PART_EVENTS_MAX = 1000

/** Reads one page in ascending order of id. Merged memories are included, because survivors name them in their history. */
export async function pageOfArchive(
  tx: Tx,
  workspaceId: string,
  scope: ArchiveScope,
  after: string | undefined,
  limit: number,
): Promise<ArchivedMemory[]> {
  const rows = await tx<(ArchiveRow & { is_long: boolean })[]>`
    with sized as (
      select memory.id, octet_length(memory.text) + coalesce(pg_column_size(memory.metadata), 0) as bytes,
        ${historyBytes(tx, scope)} as history_bytes
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        ${after === undefined ? tx`` : tx`and memory.id > ${after}`}
        ${inScope(tx, scope)}
      order by memory.id
      limit ${limit}
    ),
    placed as (
      select sized.id, sized.history_bytes > ${PAGE_BYTES} as is_long,
        sum(sized.bytes + sized.history_bytes) over (order by sized.id) - sized.bytes - sized.history_bytes as bytes_before
      from sized
    )
    select
      placed.is_long, memory.id, memory.text as memory, memory.user_id, memory.agent_id, memory.session_id, memory.priority,
      to_json(memory.categories) as categories, memory.metadata, memory.layer, memory.expires_at, memory.source,
      memory.revision, memory.consolidated_into, to_json(memory.own_categories) as own_categories,
      memory.own_priority, memory.access_count, memory.last_accessed_at, memory.feedback_positive,
      memory.feedback_negative, memory.feedback_neutral, memory.feedback_last_signal, memory.feedback_last_at,
      memory.created_at, memory.updated_at, memory.text_changed_at
    from placed
    join memories.memory on memory.id = placed.id
    where memory.workspace_id = ${workspaceId}
      and placed.bytes_before < ${PAGE_BYTES}
    order by memory.id`
  const ids = rows.filter(row => !row.is_long).map(({ id }) => id)
  const events = scope.withHistory && ids.length > 0 ? await eventsOf(tx, workspaceId, ids) : undefined
  return rows.map(({ is_long, ...row }) => toArchived(row, is_long ? undefined : events && (events.get(row.id) ?? [])))
}

export async function partOfHistory(
  tx: Tx,
  workspaceId: string,
  id: string,
  after: ArchivedEvent | undefined,
): Promise<ArchivedEvent[]> {
  const rows = await tx<EventRow[]>`
    with sized as (
      select history.id, history.revision, ${eventBytes(tx)} as bytes
      from memories.history
      where history.workspace_id = ${workspaceId}
        and history.memory_id = ${id}
        ${after === undefined ? tx`` : tx`and (history.revision, history.id) > (${after.revision}::int, ${after.id}::uuid)`}
      order by history.revision, history.id
      limit ${PART_EVENTS_MAX}
    ),
    placed as (
      select sized.id, sum(sized.bytes) over (order by sized.revision, sized.id) - sized.bytes as bytes_before
      from sized
    )
    select ${eventColumns(tx)}
    from placed
    join memories.history on history.id = placed.id
    where history.workspace_id = ${workspaceId}
      and history.memory_id = ${id}
      and placed.bytes_before < ${PART_BYTES}
    order by history.revision, history.id`
  return rows.map(toEvent)
}

export async function absorbedOf(tx: Tx, workspaceId: string, id: string): Promise<string[]> {
  const rows = await tx<{ absorbed_id: string }[]>`
    select distinct history.absorbed_id
    from memories.history
    where history.workspace_id = ${workspaceId}
      and history.memory_id = ${id}
      and history.absorbed_id is not null`
  return rows.map(row => row.absorbed_id)
}

function eventColumns(tx: Tx) {
  return tx`history.memory_id, history.id, history.event, history.old_content, history.new_content, history.revision,
      history.absorbed_id, history.created_at`
}

function toEvent({ memory_id: _, created_at, ...event }: EventRow): ArchivedEvent {
  return { ...event, created_at: created_at.toISOString() }
}

function historyBytes(tx: Tx, { withHistory }: ArchiveScope) {
  if (!withHistory) return tx`0`
  return tx`(
        select coalesce(sum(${eventBytes(tx)}), 0)
        from memories.history
        where history.workspace_id = memory.workspace_id
          and history.memory_id = memory.id
      )`
}

/** Expired memories are left out, whether a sweep has marked them or not. */
function inScope(tx: Tx, { userId, categories, upTo }: ArchiveScope) {
  return tx`
    and (memory.live or memory.consolidated_into is not null)
    and (memory.expires_at is null or memory.expires_at > now())
    ${upTo === undefined ? tx`` : tx`and memory.id <= ${upTo}`}
    ${userId === undefined ? tx`` : tx`and memory.user_id = ${userId}`}
    ${categories === undefined ? tx`` : tx`and memory.categories && ${textArray(categories)}::text[]`}`
}

async function eventsOf(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<Map<string, ArchivedEvent[]>> {
  const rows = await tx<EventRow[]>`
    select ${eventColumns(tx)}
    from memories.history
    where history.workspace_id = ${workspaceId}
      and history.memory_id = any (${textArray(ids)}::uuid[])
    order by history.memory_id, history.revision, history.id`
  const events = new Map<string, ArchivedEvent[]>()
  for (const row of rows) {
    const timeline = events.get(row.memory_id) ?? []
    timeline.push(toEvent(row))
    events.set(row.memory_id, timeline)
  }
  return events
}

function toArchived(row: ArchiveRow, history: ArchivedEvent[] | undefined): ArchivedMemory {
  const { feedback_positive, feedback_negative, feedback_neutral, feedback_last_signal, feedback_last_at, ...memory } =
    row
  const isRated = feedback_positive + feedback_negative + feedback_neutral > 0
  return {
    ...memory,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_accessed_at: row.last_accessed_at?.toISOString() ?? null,
    feedback: isRated
      ? {
          positive: feedback_positive,
          negative: feedback_negative,
          neutral: feedback_neutral,
          last_signal: feedback_last_signal,
          last_feedback_at: feedback_last_at?.toISOString() ?? null,
        }
      : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    text_changed_at: row.text_changed_at?.toISOString() ?? null,
    ...(history ? { history } : {}),
  }
}
