import { plainArray, type Tx } from 'mneme/plugin'
import type { RemovedMemory } from '../announce.ts'

/**
 * Marks those of the memories that are live and have expired.
 * @returns the ones this transaction marked: each expiry is told once
 */
export async function markExpired(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<RemovedMemory[]> {
  const rows = await tx<{ id: string; user_id: string }[]>`
    with due as (
      select memory.id
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = any(${plainArray(ids)}::uuid[])
        and memory.live
        and memory.expires_at <= now()
      order by memory.id
      for update
    )
    update memories.memory
    set live = false
    from due
    where memory.workspace_id = ${workspaceId}
      and memory.id = due.id
    returning memory.id, memory.user_id`
  return rows.map(row => ({ id: row.id, userId: row.user_id }))
}

/** A memory somewhere, as sweeps across workspaces find it. */
export interface SweptMemory {
  readonly workspaceId: string
  readonly id: string
}

/** Up to `limit` memories of any workspace that have expired and are not marked yet. For the system's transactions. */
export async function findExpired(tx: Tx, limit: number): Promise<SweptMemory[]> {
  return swept(
    await tx<{ workspace_id: string; id: string }[]>`
      -- across workspaces: finds expired memories, whosever they are
      select memory.workspace_id, memory.id
      from memories.memory
      where memory.expires_at <= now()
        and memory.live
      order by memory.expires_at
      limit ${limit}`,
  )
}

function swept(rows: readonly { workspace_id: string; id: string }[]): SweptMemory[] {
  return rows.map(row => ({ workspaceId: row.workspace_id, id: row.id }))
}
