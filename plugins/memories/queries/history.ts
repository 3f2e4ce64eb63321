import { type Tx, workspaceOf } from 'mneme/plugin'

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
