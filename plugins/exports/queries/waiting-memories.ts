import { insertRows, type Tx, textArray } from 'mneme/plugin'

/** Notes memories that an import has stored, until their processing is known to be done. */
export async function insertImported(
  tx: Tx,
  workspaceId: string,
  id: string,
  memoryIds: readonly string[],
): Promise<void> {
  await insertRows(
    tx,
    memoryIds,
    memoryId => tx`(${workspaceId}, ${id}, ${memoryId})`,
    values => tx`
      insert into exports.import_memory (workspace_id, import_id, memory_id)
      values ${values}
      on conflict do nothing`,
  )
}

/** Some of the memories whose processing may not be done. */
export async function waitingMemories(tx: Tx, workspaceId: string, id: string, limit: number): Promise<string[]> {
  const rows = await tx<{ memory_id: string }[]>`
    select import_memory.memory_id
    from exports.import_memory
    where import_memory.workspace_id = ${workspaceId} and import_memory.import_id = ${id}
    order by import_memory.memory_id
    limit ${limit}`
  return rows.map(row => row.memory_id)
}

export async function removeWaiting(
  tx: Tx,
  workspaceId: string,
  id: string,
  memoryIds: readonly string[],
): Promise<void> {
  await tx`
    delete from exports.import_memory
    where import_memory.workspace_id = ${workspaceId}
      and import_memory.import_id = ${id}
      and import_memory.memory_id = any (${textArray(memoryIds)}::uuid[])`
}

export async function noteUnprocessed(tx: Tx, workspaceId: string, id: string, count: number): Promise<void> {
  if (count === 0) return
  await tx`
    update exports.import
    set unprocessed = import.unprocessed + ${count}
    where import.workspace_id = ${workspaceId} and import.id = ${id}`
}
