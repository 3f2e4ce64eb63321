import type { MemoryArchive } from '../contract.ts'
import type { MemoryServices } from '../scope.ts'
import { holdersOf } from './holders.ts'
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
