import { AppError, type Database, inParts, type Quarantine } from 'mneme/plugin'
import postgres from 'postgres'
import type { MemoryReader, MemoryRecord } from '../../memories/contract.ts'
import type { SearchEngine } from '../engine/engine.ts'
import { embedEach } from './embed-texts.ts'
import { areOwed, clearOwed, owedMemories, recordGaps, recordMissing, storeEmbedded } from './gaps.ts'
import type { ModelRecord } from './model-records.ts'
import type { EmbeddingModels } from './models.ts'
import { lockUseForWrite, nextPage, type PageItem } from './use-store.ts'

export interface FillParts {
  readonly database: Database
  readonly engine: SearchEngine
  readonly models: EmbeddingModels
  readonly quarantine: Quarantine
  readonly reader: () => MemoryReader
}

const NAME = 'search:re-embed'

/** Progress is stored after this many memories. */
export const PAGE = 128
/** One call embeds this many texts, which bounds the work that a kill repeats and the time that a stop waits. */
const CHUNK = 32

/** The outcome for some memories. */
interface Filled {
  readonly filled: number
  /** The number of memories that cannot be embedded, and are recorded as refused. */
  readonly refused: number
  /** Memories with vectors of other models that are no longer visible. */
  readonly invisible: readonly string[]
}

/** Embeds the memories of the next page that lack a vector of the target model. @returns the page */
export async function fillPage(
  parts: FillParts,
  target: ModelRecord,
  signal: AbortSignal,
): Promise<readonly PageItem[]> {
  const page = await parts.database.system(tx => nextPage(tx, target.id, PAGE))
  await fillAll(
    parts,
    target,
    page.filter(({ done }) => !done),
    signal,
  )
  return page
}

/**
 * Embeds memories that are recorded as lacking a vector of the target, and those that nobody recorded. A memory that is being processed,
 * has changed or is deleted is left to its own write.
 *
 * @returns `none` when there are none, `stuck` when no progress was possible
 */
export async function fillOwed(
  parts: FillParts,
  target: ModelRecord,
  signal: AbortSignal,
): Promise<'none' | 'some' | 'stuck'> {
  const { database, quarantine } = parts
  const owed = await database.system(tx => owedMemories(tx, { quarantine, sweep: NAME }, target.id, PAGE))
  if (owed.length === 0) return recordOwed(parts, target)
  const { filled, refused, invisible } = await fillAll(parts, target, owed, signal)
  await database.system(tx => clearOwed(tx, target.id, owed))
  const unseen = new Set(invisible)
  // An invisible memory needs no vector; it is recorded as refused, so that the switch does not wait for it.
  await recordLeft(
    parts,
    target,
    owed.filter(({ memoryId }) => unseen.has(memoryId)),
    unseen,
  )
  return filled + refused + invisible.length > 0 ? 'some' : 'stuck'
}

/** Records memories that nobody recorded, unless some are owed a vector whose workspace is held back. */
function recordOwed({ database }: FillParts, target: ModelRecord): Promise<'none' | 'some' | 'stuck'> {
  return database.system(async tx => {
    if (await areOwed(tx, target.id)) return 'stuck'
    return (await recordMissing(tx, target.id, PAGE)) > 0 ? 'some' : 'none'
  })
}

interface MemoryKey {
  readonly workspaceId: string
  readonly memoryId: string
}

/** Embeds memories of many workspaces, none of which stops the others. */
async function fillAll(
  parts: FillParts,
  target: ModelRecord,
  memories: readonly MemoryKey[],
  signal: AbortSignal,
): Promise<Filled> {
  let filled = 0
  const invisible: string[] = []
  const seen = new Set<string>()
  const failing = new Set<string>()
  await parts.quarantine.sweep({
    name: NAME,
    items: memories,
    workspaceOf: ({ workspaceId }) => workspaceId,
    idOf: ({ memoryId }) => memoryId,
    signal,
    async work(workspaceId, items) {
      const ids = items.map(({ memoryId }) => memoryId).filter(id => !seen.has(id))
      for (const chunk of inParts(ids, CHUNK)) {
        signal.throwIfAborted()
        const done = await fillChunk(parts, target, workspaceId, chunk, signal).catch(error => {
          if (ids.length === 1 && !mayPass(error)) failing.add(chunk[0] ?? '')
          throw error
        })
        for (const id of chunk) seen.add(id)
        filled += done.filled
        invisible.push(...done.invisible)
      }
    },
  })
  const left = memories.filter(({ memoryId }) => !seen.has(memoryId))
  await recordLeft(parts, target, left, failing)
  return { filled, refused: failing.size, invisible }
}

/** Tells whether the same memory may be embedded later: the database was busy, or a lock did not come in time. */
function mayPass(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'SERVICE_UNAVAILABLE'
  return error instanceof postgres.PostgresError && PASSING.has(error.code)
}

/** A serialisation failure, a deadlock, and a lock that did not come in time. */
const PASSING = new Set(['40001', '40P01', '55P03'])

/** Records some memories as refused, so that the switch does not wait for them, and the others as owed a vector. */
async function recordLeft(
  { database }: FillParts,
  target: ModelRecord,
  left: readonly MemoryKey[],
  refused: ReadonlySet<string>,
): Promise<void> {
  if (left.length === 0) return
  await database.system(async tx => {
    const use = await lockUseForWrite(tx)
    if (use?.target !== target.id) return
    for (const [workspaceId, ids] of byWorkspace(left)) {
      await recordGaps(tx, workspaceId, target.id, {
        filled: [],
        refused: ids.filter(id => refused.has(id)),
        owed: ids.filter(id => !refused.has(id)),
      })
    }
  })
}

function byWorkspace(memories: readonly MemoryKey[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { workspaceId, memoryId } of memories) {
    const group = groups.get(workspaceId)
    if (group) group.push(memoryId)
    else groups.set(workspaceId, [memoryId])
  }
  return groups
}

async function fillChunk(
  { database, engine, models, reader }: FillParts,
  target: ModelRecord,
  workspaceId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Omit<Filled, 'refused'>> {
  const records = await database.workspace(workspaceId, tx => reader().records(tx, ids))
  const visible = new Set(records.map(({ id }) => id))
  const invisible = ids.filter(id => !visible.has(id))
  const settled = records.filter(isSettled)
  if (settled.length === 0) return { filled: 0, invisible }
  const embedded = await embedEach(
    models,
    target,
    settled.map(({ text }) => text),
    { priority: 'background', passages: true, signal },
  )
  const made = new Map(settled.map((record, n) => [record.id, { record, embedding: embedded[n] }] as const))
  const filled = await database.workspace(workspaceId, async tx => {
    const locked = await reader().records(tx, [...made.keys()], 'locked')
    const current = locked.filter(one => isSettled(one) && one.revision === made.get(one.id)?.record.revision)
    const use = await lockUseForWrite(tx)
    if (use?.target !== target.id) return 0
    const stored = current.map(({ id }) => [id, made.get(id)?.embedding] as const)
    await storeEmbedded(tx, engine, workspaceId, target.id, stored, true)
    return current.length
  })
  return { filled, invisible }
}

/** Tells whether no pending job will embed the memory. */
function isSettled({ status }: MemoryRecord): boolean {
  return status !== 'PENDING' && status !== 'PROCESSING'
}
