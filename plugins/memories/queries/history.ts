import { plainArray, type Tx, workspaceOf } from 'mneme/plugin'

export interface HistoryRow {
  id: string
  memory_id: string
  event: 'CREATED' | 'UPDATED' | 'CONSOLIDATED' | 'RESTORED'
  old_content: string | null
  new_content: string
  absorbed_id: string | null
  created_at: Date
}

/** Reads one page of a memory's history, oldest first, with the total number of events. */
export async function findHistory(
  tx: Tx,
  workspaceId: string,
  memoryId: string,
  page: number,
  pageSize: number,
): Promise<{ rows: readonly HistoryRow[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    tx<HistoryRow[]>`
      select
        history.id, history.memory_id, history.event, history.old_content, history.new_content, history.absorbed_id,
        history.created_at
      from memories.history
      where history.workspace_id = ${workspaceId}
        and history.memory_id = ${memoryId}
      order by history.revision, history.id
      limit ${pageSize}
      offset ${(page - 1) * pageSize}`,
    tx<{ total: number }[]>`
      select count(*) as total
      from memories.history
      where history.workspace_id = ${workspaceId}
        and history.memory_id = ${memoryId}`,
  ])
  return { rows, total: counted?.total ?? 0 }
}

/** Reads the text a memory had at a revision, in the transaction's workspace. */
export async function findTextAt(tx: Tx, memoryId: string, revision: number): Promise<string | undefined> {
  const [row] = await tx<{ new_content: string }[]>`
    select history.new_content
    from memories.history
    where history.workspace_id = ${workspaceOf(tx)}
      and history.memory_id = ${memoryId}
      and history.revision = ${revision}
    order by history.id desc
    limit 1`
  return row?.new_content
}

/** An event of a memory that was deleted. */
export interface LeftEvent {
  readonly memory_id: string
  readonly id: string
  /** Null also where it is the text of an absorbed memory that was restored, and so is not deleted with its survivor. */
  readonly old_content: string | null
  readonly new_content: string
}

/** A part has at most so much text, or is a single event; more events are not looked at together. */
const PART_BYTES = 256 * 1024
const PART_EVENTS_MAX = 1000

/** Reads the next part of the histories that deleted memories left. */
export async function findLeftEvents(
  tx: Tx,
  workspaceId: string,
  memoryIds: readonly string[],
  after: LeftEvent | undefined,
): Promise<LeftEvent[]> {
  return tx<LeftEvent[]>`
    with sized as (
      select history.memory_id, history.id, ${eventBytes(tx)} as bytes
      from memories.history
      where history.workspace_id = ${workspaceId}
        and history.memory_id = any(${plainArray(memoryIds)}::uuid[])
        ${after === undefined ? tx`` : tx`and (history.memory_id, history.id) > (${after.memory_id}::uuid, ${after.id}::uuid)`}
      order by history.memory_id, history.id
      limit ${PART_EVENTS_MAX}
    ),
    placed as (
      select
        sized.memory_id, sized.id, sum(sized.bytes) over (order by sized.memory_id, sized.id) - sized.bytes as bytes_before
      from sized
    )
    select
      history.memory_id, history.id, history.new_content,
      case
        when not exists (
          select
          from memories.memory
          where memory.workspace_id = ${workspaceId}
            and memory.id = history.absorbed_id
        )
        then history.old_content
      end as old_content
    from placed
    join memories.history on history.memory_id = placed.memory_id and history.id = placed.id
    where history.workspace_id = ${workspaceId}
      and placed.bytes_before < ${PART_BYTES}
    order by history.memory_id, history.id`
}

/** Builds the size of an event's texts. */
export function eventBytes(tx: Tx) {
  return tx`coalesce(octet_length(history.old_content), 0) + octet_length(history.new_content)`
}
