import { plainArray, type Tx } from 'mneme/plugin'
import type { ClearedScope } from '../contract/clearing.ts'
import type { RemovedMemory } from '../storing/announce.ts'
import { countRemoved } from './memory-count.ts'

/** Locks up to `limit` memories of a scope behind the id `after`, in ascending order of id. @returns their ids */
export async function lockInScope(
  tx: Tx,
  workspaceId: string,
  { userId, agentId, sessionId }: ClearedScope,
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
      ${sessionId === undefined ? tx`` : tx`and memory.session_id = ${sessionId}`}
    order by memory.id
    limit ${limit}
    for update`
  return rows.map(row => row.id)
}

/** A deleted memory. Its former texts are its earlier versions, and all versions where it had expired or was absorbed. */
export interface DeletedMemory extends RemovedMemory {
  /** Its history has former texts and is left to be read; see {@link deleteHistory}. */
  readonly hasFormerTexts: boolean
  /** The hash of the version that is not a former one; null where all are, and where the memory has no former texts. */
  readonly indexedHash: string | null
}

/**
 * Deletes memories, the memories they absorbed, their history where it has no former texts, and their text in the history of survivors.
 * @returns every deleted memory
 */
export async function deleteMemories(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<DeletedMemory[]> {
  const [, doomed] = await Promise.all([
    // A statement of its own: a merge that holds a survivor may be about to add to what it absorbed, and only a later snapshot has that.
    tx`
      select
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = any(${plainArray(ids)}::uuid[])
      order by memory.id
      for update`,
    lockDoomed(tx, workspaceId, ids),
  ])
  const all = plainArray(doomed.map(({ id }) => id))
  const without = plainArray(doomed.flatMap(({ id, hasFormerTexts }) => (hasFormerTexts ? [] : [id])))
  await Promise.all([
    tx`
      delete from memories.history
      where history.workspace_id = ${workspaceId}
        and history.memory_id = any(${without}::uuid[])`,
    tx`
      delete from memories.history
      where history.workspace_id = ${workspaceId}
        and history.absorbed_id = any(${all}::uuid[])
        and history.memory_id <> all(${all}::uuid[])`,
    tx`
      delete from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = any(${all}::uuid[])`,
    countRemoved(tx, workspaceId, doomed.filter(({ counts }) => counts).length),
  ])
  return doomed.map(({ counts: _, ...memory }) => memory)
}

/** Locks memories and those that they absorbed, with what is to be said of them once they are gone. */
function lockDoomed(tx: Tx, workspaceId: string, ids: readonly string[]) {
  return tx<(DeletedMemory & { counts: boolean })[]>`
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
    former as (
      select distinct memory.id
      from doomed
      join memories.memory on memory.workspace_id = ${workspaceId} and memory.id = doomed.id
      join memories.history on history.workspace_id = ${workspaceId} and history.memory_id = doomed.id
      where not memory.live
        or history.new_content <> memory.text
        or history.old_content <> memory.text
    )
    select
      memory.id, memory.user_id as "userId", former.id is not null as "hasFormerTexts",
      memory.live or memory.consolidated_into is not null as counts,
      case when former.id is not null and memory.live then encode(memory.content_hash, 'hex') end as "indexedHash"
    from memories.memory
    join doomed on doomed.id = memory.id
    left join former on former.id = memory.id
    where memory.workspace_id = ${workspaceId}
    order by memory.id
    for update of memory`
}

/** Deletes the histories that {@link deleteMemories} left. */
export async function deleteHistory(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  await tx`
    delete from memories.history
    where history.workspace_id = ${workspaceId}
      and history.memory_id = any(${plainArray(ids)}::uuid[])`
}
