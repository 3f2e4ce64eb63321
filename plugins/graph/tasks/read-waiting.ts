import { isUnavailable, type Tx } from 'mneme/plugin'
import { type MemoryRecord, memoryReader } from '../../memories/contract.ts'
import { memoryVectors } from '../../search/contract.ts'
import type { Extraction, MemoryToExtract } from '../contract.ts'
import type { GraphScope } from '../scope.ts'
import { knownPlaces } from '../writing/known-places.ts'
import type { ReadMemory } from '../writing/read-memory.ts'
import { lockUsers } from '../writing/withdraw.ts'
import { writeExtractions } from '../writing/write-extractions.ts'
import { holding } from './holding.ts'
import {
  type Claim,
  claimReadings,
  finishReadings,
  forgetReadings,
  noted,
  postponeReading,
  type ReadingDone,
  releaseReadings,
} from './reading-queue.ts'
import { restatementsOf } from './restatements.ts'

/** The memories that one model call reads. */
const BATCH = 20
const ATTEMPTS_MAX = 5
const AGAIN_FIRST_MS = 10 * 60_000
const AGAIN_MAX_MS = 24 * 60 * 60_000
const FAILED_FIRST_MS = 30_000

/** A memory that was taken, as it is now. */
interface Taken {
  readonly claim: Claim
  readonly memory: MemoryRecord
  readonly vector: Float32Array | undefined
}

/** Takes some memories that wait, draws their facts and writes them. @returns how many were taken */
export async function readWaiting(scope: GraphScope, workspaceId: string, signal: AbortSignal): Promise<number> {
  const { claims, taken } = await scope.background.run(() => take(scope, workspaceId))
  const open = new Set(taken.map(({ memory }) => memory.id))
  try {
    await holding(scope.database, workspaceId, open, async () => {
      for (const [, group] of Map.groupBy(taken, ({ memory }) => memory.userId)) {
        await readAll(scope, workspaceId, group, signal)
        for (const { memory } of group) open.delete(memory.id)
      }
    })
  } catch (error) {
    await release(scope, workspaceId, [...open]).catch(() => undefined)
    throw error
  }
  return claims.length
}

async function take({ database, wiring, embedder }: GraphScope, workspaceId: string) {
  const { claims, records } = await database.workspace(workspaceId, async tx => {
    const claims = await claimReadings(tx, workspaceId, BATCH)
    const ids = claims.map(({ memoryId }) => memoryId)
    const records = await wiring.use(memoryReader).records(tx, ids)
    const visible = new Set(records.map(({ id }) => id))
    await forgetReadings(
      tx,
      workspaceId,
      ids.filter(id => !visible.has(id)),
    )
    return { claims, records }
  })
  const ids = records.map(({ id }) => id)
  // Without search none is there to be spared another embedding.
  const vectors = await wiring.find(memoryVectors)?.vectorsOf(workspaceId, ids)
  const byId = new Map(records.map(memory => [memory.id, memory]))
  const taken = claims.flatMap(claim => {
    const memory = byId.get(claim.memoryId)
    const known = vectors?.get(claim.memoryId)
    // Vectors of another model than the one that files sentences cannot be compared with its own.
    return memory ? [{ claim, memory, vector: known?.modelId === embedder.modelId ? known.vector : undefined }] : []
  })
  return { claims, taken }
}

async function release({ database }: GraphScope, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await database.workspace(workspaceId, tx => releaseReadings(tx, workspaceId, ids))
}

/** Reads memories of one user; what fails together is read one by one, so that none is in the way of others. */
async function readAll(
  scope: GraphScope,
  workspaceId: string,
  taken: readonly Taken[],
  signal: AbortSignal,
): Promise<void> {
  try {
    const extractions = await extract(scope, workspaceId, taken, signal)
    await scope.background.run(() => write(scope, workspaceId, taken, extractions))
  } catch (error) {
    signal.throwIfAborted()
    if (isUnavailable(error)) throw error
    const [first, ...others] = taken
    if (first && others.length === 0) return fail(scope, workspaceId, first, error)
    for (const one of taken) await readAll(scope, workspaceId, [one], signal)
  }
}

async function extract(
  { extractor }: GraphScope,
  workspaceId: string,
  taken: readonly Taken[],
  signal: AbortSignal,
): Promise<Map<string, Extraction>> {
  const extractions = await extractor.extract(workspaceId, taken.map(toExtract), signal)
  return new Map(extractions.map(extraction => [extraction.memoryId, extraction]))
}

function toExtract({ claim, memory, vector }: Taken): MemoryToExtract {
  const { id, text, userId } = memory
  return { id, text, userId, createdAt: claim.statedAt, ...(vector ? { vector } : {}) }
}

/** Writes what was read of memories that are still as they were read. */
async function write(
  { database, events, wiring }: GraphScope,
  workspaceId: string,
  taken: readonly Taken[],
  extractions: ReadonlyMap<string, Extraction>,
): Promise<void> {
  const userId = taken[0]?.memory.userId
  if (userId === undefined) return
  const placeOf = await knownPlaces()
  await database.workspace(workspaceId, async tx => {
    const current = await stillCurrent(tx, wiring.use(memoryReader).records, taken)
    await lockUsers(tx, workspaceId, [userId])
    const known = await noted(
      tx,
      workspaceId,
      current.map(({ memory }) => memory.id),
    )
    const readings = current.flatMap(one => {
      const extraction = extractions.get(one.memory.id)
      return extraction && known.has(one.memory.id) ? [{ ...one, extraction }] : []
    })
    const restated = await restatementsOf(tx, workspaceId, [...known.keys()])
    // A second best reading that brings nothing new is not written again.
    const news = readings.filter(
      ({ claim, memory, extraction }) =>
        !known.get(memory.id) || restated.has(memory.id) || claim.extractedBy !== extraction.extractedBy,
    )
    const readBefore = news.flatMap(({ memory }) => (known.get(memory.id) ? [memory.id] : []))
    const read = news.map(one => toRead(one, restated.get(one.memory.id) ?? []))
    await writeExtractions(tx, events, { workspaceId, userId }, read, { readBefore, placeOf })
    await finishReadings(tx, workspaceId, readings.map(toDone))
  })
}

async function stillCurrent(
  tx: Tx,
  records: (tx: Tx, ids: readonly string[], mode: 'held') => Promise<MemoryRecord[]>,
  taken: readonly Taken[],
): Promise<Taken[]> {
  const held = await records(
    tx,
    taken.map(({ memory }) => memory.id),
    'held',
  )
  const revisions = new Map(held.map(({ id, revision }) => [id, revision]))
  return taken.filter(({ memory }) => revisions.get(memory.id) === memory.revision)
}

function toRead(
  { claim, memory, extraction }: Taken & { extraction: Extraction },
  restatedAt: readonly Date[],
): ReadMemory {
  const { id, userId, text, revision, categories } = memory
  return { id, userId, text, revision, categories, statedAt: claim.statedAt, restatedAt, extraction }
}

function toDone({ claim, memory, extraction }: Taken & { extraction: Extraction }): ReadingDone {
  const againMs = Math.min(AGAIN_MAX_MS, AGAIN_FIRST_MS * 2 ** Math.min(claim.attempts - 1, 20))
  return {
    memoryId: memory.id,
    revision: memory.revision,
    extractedBy: extraction.extractedBy,
    again: extraction.provisional ? new Date(Date.now() + againMs) : null,
  }
}

/** Tries again later, up to a number of times; what was read by a lesser reader keeps what it has. */
async function fail(
  { database, log }: GraphScope,
  workspaceId: string,
  { claim, memory }: Taken,
  error: unknown,
): Promise<void> {
  const givesUp = claim.attempts >= ATTEMPTS_MAX
  const again = givesUp ? null : new Date(Date.now() + FAILED_FIRST_MS * 4 ** (claim.attempts - 1))
  await database.workspace(workspaceId, tx => postponeReading(tx, workspaceId, memory.id, again))
  const facts = { err: error, memory: memory.id, attempts: claim.attempts }
  if (givesUp) log.warn(facts, 'the facts of a memory cannot be read, and are given up')
  else log.warn(facts, 'the facts of a memory could not be read; tried again later')
}
