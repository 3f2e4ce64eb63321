import { plainArray, type Tx } from 'mneme/plugin'
import type { RemovedMemory } from '../storing/announce.ts'
import { countedLive } from './live-count.ts'

/** The memories to delete: a list of ids, or all memories of a user, of an agent, of both together, or of the workspace. */
export type Removal =
  | { readonly ids: readonly string[] }
  | { readonly userId: string | undefined; readonly agentId: string | undefined }

/**
 * Deletes memories, the memories they absorbed, their history, and their text in the history of survivors.
 * @returns every deleted memory
 */
export async function deleteMemories(tx: Tx, workspaceId: string, removal: Removal): Promise<RemovedMemory[]> {
  const rows = await tx<{ id: string; user_id: string }[]>`
    with recursive chosen as (
      select memory.id
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        ${scope(tx, removal)}
      order by memory.id
      for update
    ),
    doomed as (
      select chosen.id
      from chosen
      union
      select memory.id
      from doomed
      join memories.memory on memory.workspace_id = ${workspaceId} and memory.consolidated_into = doomed.id
    ),
    timeline as (
      delete from memories.history
      using doomed
      where history.workspace_id = ${workspaceId}
        and history.memory_id = doomed.id
    ),
    mentions as (
      delete from memories.history
      using doomed
      where history.workspace_id = ${workspaceId}
        and history.absorbed_id = doomed.id
        and history.memory_id not in (select doomed.id from doomed)
    ),
    removed as (
      delete from memories.memory
      using doomed
      where memory.workspace_id = ${workspaceId}
        and memory.id = doomed.id
      returning memory.id, memory.user_id, memory.live
    ),
    counted as (${countedLive(tx, workspaceId, 'removed', -1)})
    select removed.id, removed.user_id
    from removed`
  return rows.map(row => ({ id: row.id, userId: row.user_id }))
}

function scope(tx: Tx, removal: Removal) {
  if ('ids' in removal) return tx`and memory.id = any(${plainArray(removal.ids)}::uuid[])`
  const { userId, agentId } = removal
  return tx`
    ${userId === undefined ? tx`` : tx`and memory.user_id = ${userId}`}
    ${agentId === undefined ? tx`` : tx`and memory.agent_id = ${agentId}`}`
}
