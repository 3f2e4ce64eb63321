import { plainArray, type Tx } from 'mneme/plugin'
import type { RemovedMemory } from '../announce.ts'
import { EXPIRED_KEPT_DAYS } from './read.ts'

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

/** Up to `limit` memories of any workspace whose days of answering 410 are over. For the system's transactions. */
export async function findPurgeable(tx: Tx, limit: number): Promise<SweptMemory[]> {
  return swept(
    await tx<{ workspace_id: string; id: string }[]>`
      -- across workspaces: finds memories to purge, whosever they are
      select memory.workspace_id, memory.id
      from memories.memory
      where memory.expires_at <= now() - make_interval(days => ${EXPIRED_KEPT_DAYS})
      order by memory.expires_at
      limit ${limit}`,
  )
}

/** More than a deployment has; a bound all the same. */
const WORKSPACES_MAX = 1_000_000

/** The workspaces that have memories, each by one look into the index. For the system's transactions. */
export async function findWorkspaces(tx: Tx): Promise<string[]> {
  const rows = await tx<{ workspace_id: string }[]>`
    select seen.workspace_id
    from core.workspaces_in('memories.memory', null, ${WORKSPACES_MAX}) as seen (workspace_id)`
  return rows.map(row => row.workspace_id)
}

/** Up to `limit` memories of the RAW layer that were not changed since `before`, locked so that none changes any more. */
export async function findOlderThan(tx: Tx, workspaceId: string, before: Date, limit: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select memory.id
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.live
      and memory.layer = 'RAW'
      and memory.created_at <= ${before}
      and memory.updated_at <= ${before}
    order by memory.id
    limit ${limit}
    for update`
  return rows.map(row => row.id)
}

function swept(rows: readonly { workspace_id: string; id: string }[]): SweptMemory[] {
  return rows.map(row => ({ workspaceId: row.workspace_id, id: row.id }))
}
