import type { Tx } from 'mneme/plugin'
import { plainArray } from 'mneme/plugin'
import type { MemoryArchive } from '../contract.ts'
import type { MemoryServices } from '../scope.ts'
import { absorbedOf, countArchived, lastIdOf, pageOfArchive, partOfHistory } from './read.ts'
import { prepareArchive, storeArchive, storeHistory, unprocessed } from './store.ts'

/** The port through which other plugins copy memories out of a workspace and into one. */
export function createArchive(services: MemoryServices): MemoryArchive {
  return {
    count: countArchived,
    lastId: lastIdOf,
    page: pageOfArchive,
    history: partOfHistory,
    absorbed: absorbedOf,
    prepare: (tenant, memories) => prepareArchive(services, tenant, memories),
    store: (tx, tenant, prepared, holders = new Map()) => storeArchive(tx, services, tenant, prepared, holders),
    storeHistory,
    holders: holdersOf,
    unprocessed,
  }
}

async function holdersOf(
  tx: Tx,
  workspaceId: string,
  userId: string,
  hashes: readonly string[],
): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map()
  const rows = await tx<{ hash: string; id: string }[]>`
    select wanted.hash, memory.id
    from unnest(${plainArray(hashes)}::text[]) as wanted (hash)
    join memories.memory on memory.content_hash = decode(wanted.hash, 'hex')
    where memory.workspace_id = ${workspaceId}
      and memory.live
    order by memory.user_id = ${userId}`
  return new Map(rows.map(row => [row.hash, row.id]))
}
