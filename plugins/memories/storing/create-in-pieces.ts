import { fail, type Tenant, type Tx } from 'mneme/plugin'
import type { CreateResult, MemoryRecord, NewMemory, PreparedMemories } from '../contract.ts'
import { fitting } from '../fitting.ts'
import { findAbsorbed, findRecords } from '../queries/read.ts'
import type { MemoryServices } from '../scope.ts'
import { hashOf } from './content-hash.ts'
import { createMemories, reviewMemories, withWrites } from './create.ts'
import { isRepetition, repeatableIds } from './repeatable-ids.ts'

export interface PiecesOptions {
  /** The request's `idempotencySeed`. */
  readonly seed: string | undefined
  /** Aborts when the client goes away. */
  readonly gone: AbortSignal
}

/**
 * Creates memories in pieces, each of which is prepared and stored in a short transaction of its own, so that others run in between; results
 * are in the order given. When one fails, or the client goes away, the pieces before it stay stored. A repetition with the same `seed` then
 * tells what they created as created.
 *
 * @throws RATE_LIMITED, for nobody to see, where the client is gone before everything is stored
 */
export async function createInPieces(
  services: MemoryServices,
  tenant: Tenant,
  memories: readonly NewMemory[],
  { seed, gone }: PiecesOptions,
): Promise<CreateResult[]> {
  const ids = seed === undefined ? undefined : repeatableIds(seed, memories.length)
  const { records, refused } = await reviewMemories(services, tenant, memories, ids)
  const results: CreateResult[] = []
  while (results.length < records.length) {
    // Nobody would learn the results of what may be minutes of work, and this response is not kept: a repetition completes it.
    if (gone.aborted) throw fail('RATE_LIMITED', { message: 'The client went away before its batch was stored.' })
    const rest = records.slice(results.length)
    const piece = rest.slice(0, fitting(rest, services.storing.size, amountOf))
    const prepared = await withWrites(services, tenant, { records: piece, refused, placeOffset: results.length })
    const store = (tx: Tx) =>
      services.storing.timed(
        () => storePiece(tx, services, tenant, prepared, ids ?? []),
        () => piece.reduce((sum, record) => sum + amountOf(record), 0),
      )
    results.push(...(await tenant.transaction(store)))
  }
  return ids ? withRepeated(tenant, records, results) : results
}

/**
 * Stores a piece but for what an earlier run of this request stored and others have absorbed since, whose texts are free again.
 * @param ids those of the whole request, where a repetition makes them again
 */
async function storePiece(
  tx: Tx,
  services: MemoryServices,
  tenant: Tenant,
  prepared: PreparedMemories,
  ids: readonly string[],
): Promise<CreateResult[]> {
  const { records } = prepared
  const texts = ids.length > 0 ? records.map(({ text }) => text) : []
  const absorbed = await findAbsorbed(tx, texts)
  const earlier = records.map(({ text }) => {
    return absorbed.get(hashOf(text))?.find(one => ids.some(id => isRepetition(one.id, id)))
  })
  const fresh = records.filter((_, n) => !earlier[n])
  const stored = await createMemories(tx, services, tenant, { ...prepared, records: fresh })
  const results = new Map(fresh.map((record, n) => [record, stored[n]]))
  return records.flatMap((record, n): CreateResult[] => {
    const known = earlier[n]
    if (known) return isRepetition(known.id, record.id) ? [{ created: known }] : [{ duplicateOf: known.id }]
    const result = results.get(record)
    return result ? [result] : []
  })
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

/** A memory costs something however short its text is. */
const AMOUNT_MIN = 1300

function amountOf({ text }: MemoryRecord): number {
  return Math.max(AMOUNT_MIN, text.length)
}
