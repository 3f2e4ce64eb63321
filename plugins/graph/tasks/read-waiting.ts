import { isDeepStrictEqual } from 'node:util'
import { DAY_MS, isBusy, isUnavailable, LeaseLostError, messageOf, type Tx } from 'mneme/plugin'
import { isOfAssistant, type MemoryRecord, memoryReader } from '../../memories/contract.ts'
import { memoryVectors } from '../../search/contract.ts'
import { type Extraction, type Extractor, LOCAL_ID, type MemoryToExtract, readingInstructions } from '../contract.ts'
import type { GraphScope } from '../scope.ts'
import { knownPlaces } from '../writing/known-places.ts'
import type { ReadMemory } from '../writing/read-memory.ts'
import { lockUsers } from '../writing/withdraw.ts'
import { writeExtractions } from '../writing/write-extractions.ts'
import { failReading, finishReadings, noted, type Reading, type ReadingDone } from './reading-queue.ts'
import { restatementsOf } from './restatements.ts'

/** The memories that one model call reads. */
const BATCH = 20
const FAILURES_MAX = 5
const AGAIN_FIRST_MS = 10 * 60_000
const AGAIN_MAX_MS = DAY_MS
const FAILED_FIRST_MS = 30_000

/** A memory that was taken, as it is now. */
interface Taken {
  readonly claim: Reading
  readonly memory: MemoryRecord
  readonly vector: Float32Array | undefined
  readonly instructions: string | undefined
}

/** Takes some memories that wait, draws their facts and writes them. @returns how many were taken */
export async function readWaiting(scope: GraphScope, workspaceId: string, signal: AbortSignal): Promise<number> {
  const { claims, taken } = await scope.background.run(() => take(scope, workspaceId))
  const held = taken.map(({ claim }) => claim)
  try {
    await scope.readings.holding(scope.database, held, signal, async (open, signal) => {
      for (const [, group] of Map.groupBy(taken, ({ memory }) => memory.userId)) {
        for (const claim of await readAll(scope, workspaceId, group, signal)) open.delete(claim)
      }
    })
  } catch (error) {
    // All of them changed or went while they were read.
    if (!(error instanceof LeaseLostError)) throw error
  }
  return claims.length
}

async function take({ database, wiring, embedder, extractor, readings }: GraphScope, workspaceId: string) {
  const sources = extractor.id === LOCAL_ID ? [] : wiring.extensions(readingInstructions)
  const { claims, records, told } = await database.workspace(workspaceId, async tx => {
    const claims = (await readings.claimIn(tx, workspaceId, BATCH)).toSorted(byTime)
    const ids = claims.map(({ id }) => id)
    const records = await wiring.use(memoryReader).records(tx, ids)
    const visible = new Set(records.map(({ id }) => id))
    // Such a memory has expired and is not marked yet, or went while the graph was switched off. Whatever removes it forgets its reading
    // together with the facts.
    const gone = claims.filter(({ id }) => !visible.has(id))
    await readings.finish(tx, gone)
    const told = await Promise.all(sources.map(source => source.instructionsFor(tx, workspaceId, ids)))
    return { claims, records, told }
  })
  const ids = records.map(({ id }) => id)
  // Without search none is there to be spared another embedding.
  const vectors = await wiring.find(memoryVectors)?.vectorsOf(workspaceId, ids)
  const byId = new Map(records.map(memory => [memory.id, memory]))
  const taken = claims.flatMap(claim => {
    const memory = byId.get(claim.id)
    const known = vectors?.get(claim.id)
    if (!memory) return []
    // Vectors of another model than the one that files sentences cannot be compared with its own.
    const vector = known?.modelId === embedder.modelId ? known.vector : undefined
    const instructions = told.flatMap(map => map.get(claim.id) ?? [])[0]
    return [{ claim, memory, vector, instructions }]
  })
  return { claims, taken }
}

function byTime(a: Reading, b: Reading): number {
  return a.row.stated_at.getTime() - b.row.stated_at.getTime() || (a.id < b.id ? -1 : 1)
}

/**
 * Reads memories of one user; what fails together is done one by one, so that none is in the way of others.
 * @param known what was drawn from them already, where only writing it failed
 * @returns the claims that are settled; those of memories that changed meanwhile are not
 */
async function readAll(
  scope: GraphScope,
  workspaceId: string,
  taken: readonly Taken[],
  signal: AbortSignal,
  known?: ReadonlyMap<string, Extraction>,
): Promise<Reading[]> {
  let extractions = known
  try {
    extractions ??= await extract(scope, workspaceId, taken, signal)
    const drawn = extractions
    const settled = await scope.background.run(() => write(scope, workspaceId, taken, drawn))
    for (const { claim, memory } of taken) if (settled.includes(claim)) scope.drawn.forget(memory)
    return settled
  } catch (error) {
    signal.throwIfAborted()
    // No memory is to blame.
    if (isUnavailable(error) || isBusy(error)) throw error
    const [first, ...others] = taken
    if (first && others.length === 0) return [await fail(scope, workspaceId, first, error)]
    const settled: Reading[] = []
    for (const one of taken) settled.push(...(await readAll(scope, workspaceId, [one], signal, extractions)))
    return settled
  }
}

/** A memory that an assistant said holds no fact about its user. */
function nothingIn({ id }: MemoryRecord): Extraction {
  return { memoryId: id, extractedBy: LOCAL_ID, entities: [], relations: [], statements: [] }
}

/** A text that was read before is not read again: only when it was told, or its categories, changed. */
async function extract(
  { extractor, drawn }: GraphScope,
  workspaceId: string,
  taken: readonly Taken[],
  signal: AbortSignal,
): Promise<Map<string, Extraction>> {
  const extractions = new Map<string, Extraction>()
  for (const { claim, memory } of taken) {
    if (isOfAssistant(memory)) {
      extractions.set(memory.id, nothingIn(memory))
      continue
    }
    const known = drawn.find(memory) ?? claim.row.extraction
    if (known && isOf(extractor, known)) extractions.set(memory.id, known)
  }
  const open = taken.filter(({ memory }) => !extractions.has(memory.id))
  if (open.length === 0) return extractions
  for (const one of await extractor.extract(workspaceId, open.map(toExtract), signal))
    extractions.set(one.memoryId, one)
  for (const { memory } of open) {
    const extraction = extractions.get(memory.id)
    if (extraction && isPaid(extractor, extraction)) drawn.keep(memory, extraction)
  }
  return extractions
}

/**
 * A kept extraction counts until another model is in use; while none is, it is better than a local one. A local one is kept only where a
 * model had no usable answer to the text, and counts for ever.
 */
function isOf({ id }: Pick<Extractor, 'id'>, { extractedBy }: Extraction): boolean {
  return id === LOCAL_ID || extractedBy === id || extractedBy === LOCAL_ID
}

/** A model was asked, also where it had no usable answer. */
function isPaid({ id }: Pick<Extractor, 'id'>, { extractedBy, provisional }: Extraction): boolean {
  return !provisional && (id !== LOCAL_ID || extractedBy !== LOCAL_ID)
}

function toExtract({ claim, memory, vector, instructions }: Taken): MemoryToExtract {
  const { id, text, userId, source } = memory
  const isDocument = source === 'INGEST'
  const added = { ...(vector ? { vector } : {}), ...(instructions ? { instructions } : {}) }
  return { id, text, userId, createdAt: claim.row.stated_at, isDocument, ...added }
}

/** Writes what was read of memories that are still as they were read. */
async function write(
  { database, events, wiring, extractor, readings: work }: GraphScope,
  workspaceId: string,
  taken: readonly Taken[],
  extractions: ReadonlyMap<string, Extraction>,
): Promise<Reading[]> {
  const userId = taken[0]?.memory.userId
  if (userId === undefined) return []
  const placeOf = await knownPlaces()
  return database.workspace(workspaceId, async tx => {
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
        !known.get(memory.id) || restated.has(memory.id) || claim.row.extracted_by !== extraction.extractedBy,
    )
    const readBefore = news.flatMap(({ memory }) => (known.get(memory.id) ? [memory.id] : []))
    const read = news.map(one => toRead(one, restated.get(one.memory.id) ?? []))
    await writeExtractions(tx, events, { workspaceId, userId }, read, { readBefore, placeOf })
    await finishReadings(
      tx,
      work,
      workspaceId,
      readings.map(one => toDone(one, extractor)),
    )
    return readings.map(({ claim }) => claim)
  })
}

async function stillCurrent(
  tx: Tx,
  records: (tx: Tx, ids: readonly string[], mode: 'locked') => Promise<MemoryRecord[]>,
  taken: readonly Taken[],
): Promise<Taken[]> {
  const held = await records(
    tx,
    taken.map(({ memory }) => memory.id),
    'locked',
  )
  const now = new Map(held.map(record => [record.id, record]))
  return taken.filter(({ memory }) => {
    const record = now.get(memory.id)
    // A merge changes categories without a new revision.
    return record?.revision === memory.revision && isDeepStrictEqual(record.categories, memory.categories)
  })
}

function toRead(
  { claim, memory, extraction }: Taken & { extraction: Extraction },
  restatedAt: readonly Date[],
): ReadMemory {
  const { id, userId, text, revision, categories } = memory
  return { id, userId, text, revision, categories, statedAt: claim.row.stated_at, restatedAt, extraction }
}

function toDone(
  { claim, memory, extraction }: Taken & { extraction: Extraction },
  extractor: Pick<Extractor, 'id'>,
): ReadingDone {
  const againMs = Math.min(AGAIN_MAX_MS, AGAIN_FIRST_MS * 2 ** Math.min(claim.attempts - 1, 20))
  return {
    claim,
    revision: memory.revision,
    extractedBy: extraction.extractedBy,
    againInMs: extraction.provisional ? againMs : null,
    extraction: isPaid(extractor, extraction) ? extraction : null,
  }
}

/** Tries again later, up to a number of times; what was read by a lesser reader keeps what it has. */
async function fail(
  { database, log, readings }: GraphScope,
  workspaceId: string,
  { claim, memory }: Taken,
  error: unknown,
): Promise<Reading> {
  const failures = claim.row.failures + 1
  const givesUp = failures >= FAILURES_MAX
  const reason = messageOf(error)
  const againInMs = givesUp ? null : FAILED_FIRST_MS * 4 ** (failures - 1)
  await database.workspace(workspaceId, tx => failReading(tx, readings, claim, { againInMs, reason }))
  const facts = { err: error, memory: memory.id, failures }
  if (givesUp) log.warn(facts, 'the facts of a memory cannot be read, and are given up')
  else log.warn(facts, 'the facts of a memory could not be read; tried again later')
  return claim
}
