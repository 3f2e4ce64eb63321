import type { Tenant } from 'mneme/plugin'
import type { CreateResult, MemoryRecord, NewMemory } from '../contract.ts'
import { findRecords } from '../queries/read.ts'
import type { MemoryServices } from '../scope.ts'
import { createMemories, reviewMemories, withWrites } from './create.ts'
import { isRepetition, repeatableIds } from './repeatable-ids.ts'

/** The size of a piece keeps its transaction to some tenths of a second on any database, so that others run in between. */
const PIECE_MEMORIES_MAX = 50
const PIECE_CHARACTERS_MAX = 65_536

/**
 * Creates memories in pieces, each of which is prepared and stored in its own transaction; results are in the order given. When one fails,
 * the pieces before it stay stored. A repetition with the same `seed` then tells what they created as created.
 *
 * @param seed the request's `idempotencySeed`
 */
export async function createInPieces(
  services: MemoryServices,
  tenant: Tenant,
  memories: readonly NewMemory[],
  seed: string | undefined,
): Promise<CreateResult[]> {
  const ids = seed === undefined ? undefined : repeatableIds(seed, memories.length)
  const { records, refused } = await reviewMemories(services, tenant, memories, ids)
  const results: CreateResult[] = []
  for (const piece of inPieces(records)) {
    const prepared = await withWrites(services, tenant, { records: piece, refused, placeOffset: results.length })
    results.push(...(await tenant.transaction(tx => createMemories(tx, services, tenant, prepared))))
  }
  return ids ? withRepeated(tenant, records, results) : results
}

/** Replaces refusals by what an earlier run of this request created itself. */
async function withRepeated(
  tenant: Tenant,
  records: readonly MemoryRecord[],
  results: readonly CreateResult[],
): Promise<CreateResult[]> {
  const repeatedIds = results.flatMap((result, n) => {
    const id = records[n]?.id
    return 'duplicateOf' in result && id !== undefined && isRepetition(result.duplicateOf, id)
      ? [result.duplicateOf]
      : []
  })
  if (repeatedIds.length === 0) return [...results]
  const repeated = await tenant.transaction(tx => findRecords(tx, repeatedIds))
  const byId = new Map(repeated.map(record => [record.id, record]))
  return results.map(result => {
    const created = 'duplicateOf' in result ? byId.get(result.duplicateOf) : undefined
    return created && repeatedIds.includes(created.id) ? { created } : result
  })
}

function inPieces(records: readonly MemoryRecord[]): MemoryRecord[][] {
  const pieces: MemoryRecord[][] = []
  let characters = PIECE_CHARACTERS_MAX
  for (const record of records) {
    characters += record.text.length
    const last = pieces.at(-1)
    if (last && last.length < PIECE_MEMORIES_MAX && characters <= PIECE_CHARACTERS_MAX) last.push(record)
    else {
      pieces.push([record])
      characters = record.text.length
    }
  }
  return pieces
}
