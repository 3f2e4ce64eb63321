import { plainArray, type Quarantine, type Tx } from 'mneme/plugin'
import type { RemovedMemory } from '../storing/announce.ts'
import { countRemoved } from './memory-count.ts'

/**
 * Marks the live memories among `ids` that have expired.
 * @returns the memories this transaction marked, so that each expiry is reported once
 */
export async function markExpired(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<RemovedMemory[]> {
  const expired = await tx<RemovedMemory[]>`
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
    returning memory.id, memory.user_id as "userId"`
  await countRemoved(tx, workspaceId, expired.length)
  return expired
}

/** A memory found by a sweep over all workspaces. */
export interface SweptMemory {
  readonly workspaceId: string
  readonly id: string
}

/**
 * Finds up to `limit` memories of any workspace that have expired and are not marked yet, in a transaction of the system, but those that
 * the sweep holds back.
 */
export async function findExpired(
  tx: Tx,
  quarantine: Quarantine,
  sweep: string,
  limit: number,
): Promise<SweptMemory[]> {
  return tx<SweptMemory[]>`
    -- across workspaces: finds expired memories of every workspace
    select memory.workspace_id as "workspaceId", memory.id
    from memories.memory
    where memory.expires_at <= now()
      and memory.live
      and ${quarantine.admits(tx, sweep, 'memory.workspace_id', 'memory.id')}
    order by memory.expires_at
    limit ${limit}`
}

/** Reads the beginnings of the memories that expired last, up to so many characters of up to so many of them, the last one first. */
export async function recentlyExpired(
  tx: Tx,
  workspaceId: string,
  { texts, characters }: { readonly texts: number; readonly characters: number },
): Promise<string[]> {
  const rows = await tx<{ text: string }[]>`
    select left(memory.text, ${characters}) as text
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.expires_at <= now()
      and memory.consolidated_into is null
    order by memory.expires_at desc
    limit ${texts}`
  return rows.map(row => row.text)
}
