import { plainArray, type Tx } from 'mneme/plugin'
import type { RemovedMemory } from '../storing/announce.ts'
import { countedMemories } from './memory-count.ts'

/** All memories of a user, of an agent, of both together, or of the workspace. */
export interface RemovalScope {
  readonly userId: string | undefined
  readonly agentId: string | undefined
}

/** Locks up to `limit` memories of a scope behind the id `after`, in ascending order of id. @returns their ids */
export async function lockInScope(
  tx: Tx,
  workspaceId: string,
  { userId, agentId }: RemovalScope,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select memory.id
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      ${after === undefined ? tx`` : tx`and memory.id > ${after}`}
      ${userId === undefined ? tx`` : tx`and memory.user_id = ${userId}`}
      ${agentId === undefined ? tx`` : tx`and memory.agent_id = ${agentId}`}
    order by memory.id
    limit ${limit}
    for update`
  return rows.map(row => row.id)
}

/**
 * Deletes memories, the memories they absorbed, their history, and their text in the history of survivors.
 * @returns every deleted memory
 */
export async function deleteMemories(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<RemovedMemory[]> {
  const [, rows] = await Promise.all([
    // A statement of its own: a merge that holds a survivor may be about to add to what it absorbed, and only a later snapshot has that.
    tx`
      select
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = any(${plainArray(ids)}::uuid[])
      order by memory.id
      for update`,
    deleteLocked(tx, workspaceId, ids),
  ])
  return rows.map(row => ({ id: row.id, userId: row.user_id }))
}

function deleteLocked(tx: Tx, workspaceId: string, ids: readonly string[]) {
  return tx<{ id: string; user_id: string }[]>`
    with recursive doomed as (
      select memory.id
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = any(${plainArray(ids)}::uuid[])
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
      returning memory.id, memory.user_id, memory.live or memory.consolidated_into is not null as counts
    ),
    counted as (${countedMemories(tx, workspaceId, 'removed', -1)})
    select removed.id, removed.user_id
    from removed`
}
