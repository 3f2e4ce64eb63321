import { type Database, type EmbeddedPassage, EmbedderInputError } from 'mneme/plugin'
import type { MemoryReader, MemoryRecord } from '../../memories/contract.ts'
import type { SearchEngine } from '../engine/engine.ts'
import { embedEach, storedPassages, type TextEmbedding } from './embed-texts.ts'
import { clearOwed, type OwedMemory, owedMemories, recordGaps, recordMissing } from './gaps.ts'
import type { ModelRecord } from './model-records.ts'
import type { EmbeddingModels } from './models.ts'
import { lockUseForWrite } from './use-store.ts'
import { nextPage, type PageItem } from './work-store.ts'

export interface FillParts {
  readonly database: Database
  readonly engine: SearchEngine
  readonly models: EmbeddingModels
  readonly reader: () => MemoryReader
}

/** Progress is stored after this many memories. */
export const PAGE = 128
/** One call embeds this many texts, which bounds the work that a kill repeats and the time that a stop waits. */
const CHUNK = 32

/** The outcome for some memories. */
interface Filled {
  readonly filled: number
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
  const owed = await parts.database.system(async tx => {
    const noted = await owedMemories(tx, target.id, PAGE)
    if (noted.length > 0 || (await recordMissing(tx, target.id, PAGE)) === 0) return noted
    return owedMemories(tx, target.id, PAGE)
  })
  if (owed.length === 0) return 'none'
  const { filled, invisible } = await fillAll(parts, target, owed, signal)
  await parts.database.system(tx => clearOwed(tx, target.id, owed))
  await settleInvisible(parts, target, owed, invisible)
  return filled + invisible.length > 0 ? 'some' : 'stuck'
}

/** An invisible memory needs no vector; it is recorded as refused, so that the switch does not wait for it. */
async function settleInvisible(
  { database }: FillParts,
  target: ModelRecord,
  owed: readonly OwedMemory[],
  invisible: readonly string[],
): Promise<void> {
  const unseen = owed.filter(({ memoryId }) => invisible.includes(memoryId))
  for (const [workspaceId, ids] of byWorkspace(unseen)) {
    await database.workspace(workspaceId, tx =>
      recordGaps(tx, workspaceId, target.id, { filled: [], refused: ids, owed: [] }),
    )
  }
}

interface MemoryKey {
  readonly workspaceId: string
  readonly memoryId: string
}

async function fillAll(
  parts: FillParts,
  target: ModelRecord,
  memories: readonly MemoryKey[],
  signal: AbortSignal,
): Promise<Filled> {
  let filled = 0
  const invisible: string[] = []
  for (const [workspaceId, ids] of byWorkspace(memories)) {
    for (let from = 0; from < ids.length; from += CHUNK) {
      signal.throwIfAborted()
      const done = await fillChunk(parts, target, workspaceId, ids.slice(from, from + CHUNK), signal)
      filled += done.filled
      invisible.push(...done.invisible)
    }
  }
  return { filled, invisible }
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
): Promise<Filled> {
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
    const outcome = outcomeOf(current.map(({ id }) => [id, made.get(id)?.embedding]))
    await engine.setEmbeddings(tx, workspaceId, target.id, outcome.vectors)
    await engine.setPassages(tx, workspaceId, target.id, outcome.passages)
    await recordGaps(tx, workspaceId, target.id, {
      filled: [...outcome.vectors.keys()],
      refused: outcome.refused,
      owed: [],
    })
    return current.length
  })
  return { filled, invisible }
}

/** Tells whether no pending job will embed the memory. */
function isSettled({ status }: MemoryRecord): boolean {
  return status !== 'PENDING' && status !== 'PROCESSING'
}

function outcomeOf(made: readonly (readonly [id: string, embedding: TextEmbedding | undefined])[]) {
  const vectors = new Map<string, Float32Array>()
  const passages = new Map<string, readonly EmbeddedPassage[]>()
  const refused: string[] = []
  for (const [id, embedding] of made) {
    if (!embedding) continue
    const vector = embedding instanceof EmbedderInputError ? null : embedding.vector
    const parts = storedPassages(embedding)
    if (vector) vectors.set(id, vector)
    else refused.push(id)
    if (parts) passages.set(id, parts)
  }
  return { vectors, passages, refused }
}
