import { type Tx, textArray } from 'mneme/plugin'

/** Notes which memories hold the texts of others that an import left out, until it ends. */
export async function noteHolders(
  tx: Tx,
  workspaceId: string,
  importId: string,
  holders: readonly (readonly [memoryId: string, holderId: string])[],
): Promise<void> {
  if (holders.length === 0) return
  const rows = holders.map(([memory_id, holder_id]) => ({ memory_id, holder_id }))
  await tx`
    insert into exports.import_holder (workspace_id, import_id, memory_id, holder_id)
    select ${workspaceId}::uuid, ${importId}::uuid, given.memory_id, given.holder_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given (memory_id uuid, holder_id uuid)
    on conflict (workspace_id, import_id, memory_id) do update
    set holder_id = excluded.holder_id`
}

/** The holders of those of the memories that the import left out. */
export async function findNotedHolders(
  tx: Tx,
  workspaceId: string,
  importId: string,
  memoryIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (memoryIds.length === 0) return new Map()
  const rows = await tx<{ memory_id: string; holder_id: string }[]>`
    select import_holder.memory_id, import_holder.holder_id
    from exports.import_holder
    where import_holder.workspace_id = ${workspaceId}
      and import_holder.import_id = ${importId}
      and import_holder.memory_id = any (${textArray(memoryIds)}::uuid[])`
  return new Map(rows.map(row => [row.memory_id, row.holder_id]))
}
