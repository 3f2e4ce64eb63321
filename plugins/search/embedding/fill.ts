import { type Database, EmbedderInputError } from 'mneme/plugin'
import type { MemoryReader, MemoryRecord } from '../../memories/contract.ts'
import type { SearchEngine } from '../engine/engine.ts'
import { embedEach, type TextEmbedding } from './embed-texts.ts'
import { noteGaps, noteMissing, type OwedMemory, owedMemories, settleOwed } from './gaps.ts'
import type { ModelRecord } from './model-records.ts'
import type { EmbeddingModels } from './models.ts'
import { holdUse } from './use-store.ts'
import { nextPage, type PageItem } from './work-store.ts'

export interface FillParts {
  readonly database: Database
  readonly engine: SearchEngine
  readonly models: EmbeddingModels
  readonly reader: () => MemoryReader
}

/** Memories looked at between two notes of how far it is. */
export const PAGE = 128
/** Texts embedded at once: what a kill throws away, and what a stop waits for at the most. */
const CHUNK = 32

/** What became of some memories. */
interface Filled {
  readonly filled: number
  /** Not to be seen any more, though their vectors are there. */
  readonly invisible: readonly string[]
}

/** Embeds the memories of the next page that lack a vector of the target. @returns the page */
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
 * Embeds memories that were noted as lacking a vector of the target, and such that nobody noted. What is being processed, has
 * changed or is gone, its own write deals with.
 *
 * @returns `none` when there were none, `stuck` when none of them could be dealt with
 */
export async function fillOwed(
  parts: FillParts,
  target: ModelRecord,
  signal: AbortSignal,
): Promise<'none' | 'some' | 'stuck'> {
  const owed = await parts.database.system(async tx => {
    const noted = await owedMemories(tx, target.id, PAGE)
    if (noted.length > 0 || (await noteMissing(tx, target.id, PAGE)) === 0) return noted
    return owedMemories(tx, target.id, PAGE)
  })
  if (owed.length === 0) return 'none'
  const { filled, invisible } = await fillAll(parts, target, owed, signal)
  await parts.database.system(tx => settleOwed(tx, target.id, owed))
  await settleInvisible(parts, target, owed, invisible)
  return filled + invisible.length > 0 ? 'some' : 'stuck'
}

/** What nobody sees needs no vector; it is noted as having none, so that nothing waits for it. */
async function settleInvisible(
  { database }: FillParts,
  target: ModelRecord,
  owed: readonly OwedMemory[],
  invisible: readonly string[],
): Promise<void> {
  const unseen = owed.filter(({ memoryId }) => invisible.includes(memoryId))
  for (const [workspaceId, ids] of byWorkspace(unseen)) {
    await database.workspace(workspaceId, tx =>
      noteGaps(tx, workspaceId, target.id, { filled: [], refused: ids, owed: [] }),
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
    { priority: 'background', signal },
  )
  const made = new Map(settled.map((record, n) => [record.id, { record, embedding: embedded[n] }] as const))
  const filled = await database.workspace(workspaceId, async tx => {
    const held = await reader().records(tx, [...made.keys()], 'held')
    const current = held.filter(one => isSettled(one) && one.revision === made.get(one.id)?.record.revision)
    const use = await holdUse(tx)
    if (use?.target !== target.id) return 0
    const outcome = outcomeOf(current.map(({ id }) => [id, made.get(id)?.embedding]))
    await engine.setEmbeddings(tx, workspaceId, target.id, outcome.vectors)
    await noteGaps(tx, workspaceId, target.id, {
      filled: [...outcome.vectors.keys()],
      refused: outcome.refused,
      owed: [],
    })
    return current.length
  })
  return { filled, invisible }
}

/** Whether no job is about to give it its vectors. */
function isSettled({ status }: MemoryRecord): boolean {
  return status !== 'PENDING' && status !== 'PROCESSING'
}

function outcomeOf(made: readonly (readonly [id: string, embedding: TextEmbedding | undefined])[]) {
  const vectors = new Map<string, Float32Array>()
  const refused: string[] = []
  for (const [id, embedding] of made) {
    if (!embedding) continue
    const vector = embedding instanceof EmbedderInputError ? null : embedding.vector
    if (vector) vectors.set(id, vector)
    else refused.push(id)
  }
  return { vectors, refused }
}
