import { plainArray, type Quarantine, type Tx } from 'mneme/plugin'
import type { RemovedMemory } from '../storing/announce.ts'
import { countedMemories } from './memory-count.ts'

/**
 * Marks the live memories among `ids` that have expired.
 * @returns the memories this transaction marked, so that each expiry is reported once
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
    ),
    expired as (
      update memories.memory
      set live = false
      from due
      where memory.workspace_id = ${workspaceId}
        and memory.id = due.id
      returning memory.id, memory.user_id, true as counts
    ),
    counted as (${countedMemories(tx, workspaceId, 'expired', -1)})
    select expired.id, expired.user_id
    from expired`
  return rows.map(row => ({ id: row.id, userId: row.user_id }))
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
  return swept(
    await tx<{ workspace_id: string; id: string }[]>`
      -- across workspaces: finds expired memories of every workspace
      select memory.workspace_id, memory.id
      from memories.memory
      where memory.expires_at <= now()
        and memory.live
        and ${quarantine.admits(tx, sweep, 'memory.workspace_id', 'memory.id')}
      order by memory.expires_at
      limit ${limit}`,
  )
}

function swept(rows: readonly { workspace_id: string; id: string }[]): SweptMemory[] {
  return rows.map(row => ({ workspaceId: row.workspace_id, id: row.id }))
}

/** A text is compared with so many expired memories. */
const COMPARED_MAX = 200
const WORD = /[\p{L}\p{N}]+/gu

/** Finds the texts whose words all stand in one of the memories that expired last. */
export async function findExpiredWith(
  tx: Tx,
  workspaceId: string,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = texts
    .map(text => ({ text, words: text.toLowerCase().match(WORD) ?? [] }))
    .filter(({ words }) => words.length > 0)
  if (wanted.length === 0) return new Set()
  const rows = await tx<{ text: string }[]>`
    with expired as materialized (
      select lower(memory.text) as text
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.expires_at <= now()
        and memory.consolidated_into is null
      order by memory.expires_at desc
      limit ${COMPARED_MAX}
    )
    select wanted.text
    from jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as wanted (text text, words text[])
    where exists (
      select
      from expired
      where not exists (
        select
        from unnest(wanted.words) as word
        where position(word in expired.text) = 0
      )
    )`
  return new Set(rows.map(row => row.text))
}
