import { plainArray, type Tx } from 'mneme/plugin'

/** Notes that memories are gone, of those that something rests on. */
export async function noteGone(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<void> {
  await tx`
    insert into knowledge.gone_memory (workspace_id, memory_id, gone_at)
    select distinct source.workspace_id, source.memory_id, now()
    from knowledge.source
    where source.workspace_id = ${workspaceId}
      and source.memory_id = any(${plainArray(memoryIds)}::uuid[])
    order by source.memory_id
    on conflict on constraint gone_memory_pk do update
    set gone_at = excluded.gone_at`
}

/** Finds the memories among `ids` that went lately. */
export async function findGone(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<string[]> {
  const rows = await tx<{ memory_id: string }[]>`
    select gone_memory.memory_id
    from knowledge.gone_memory
    where gone_memory.workspace_id = ${workspaceId}
      and gone_memory.memory_id = any(${plainArray(memoryIds)}::uuid[])`
  return rows.map(row => row.memory_id)
}
