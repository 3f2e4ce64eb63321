import type { Tenant } from 'mneme/plugin'
import {
  CATEGORIES_MAX,
  type MemoryAmendment,
  type MemoryRecord,
  memoryReader,
  memoryWriter,
  sameCategories,
} from '../../memories/contract.ts'
import type { Job } from '../job.ts'
import { findKept, type KeptChunk, markAmended } from '../queries/versions.ts'
import type { IngestScope } from '../scope.ts'
import { DOCUMENT_KEYS, memoryOf } from './memory-of.ts'

/** Memories that are amended together: a short transaction, also where each is queued again for its categories. */
export const AMENDED_TOGETHER = 32
/** A step amends for so long, then other jobs have their turn. */
const AMEND_MS = 1000

/**
 * Gives the next memories that a new version kept the place that they have in it, its session and its categories.
 * @param queuedMax about so many are queued at the most, to be processed again for their categories
 * @returns whether there were any
 */
export async function amendKept(scope: IngestScope, tenant: Tenant, job: Job, queuedMax: number): Promise<boolean> {
  const until = performance.now() + AMEND_MS
  let queued = 0
  let hadAny = false
  while (queued < queuedMax && performance.now() < until) {
    const batch = await amendBatch(scope, tenant, job)
    if (batch === undefined) break
    queued += batch
    hadAny = true
  }
  return hadAny
}

/** @returns how many were queued again; undefined where there was none to amend */
async function amendBatch(scope: IngestScope, tenant: Tenant, job: Job): Promise<number | undefined> {
  const { workspaceId } = tenant
  const kept = await tenant.transaction(tx => findKept(tx, workspaceId, job.id, AMENDED_TOGETHER))
  if (kept.length === 0) return undefined
  const chunks = new Map(kept.map(chunk => [chunk.memoryId, chunk]))
  const memories = await tenant.transaction(tx => scope.wiring.use(memoryReader).records(tx, [...chunks.keys()]))
  const amendments = memories.flatMap(memory => amendmentOf(job, memory, chunks.get(memory.id)) ?? [])
  const again = await scope.wiring.use(memoryWriter).amend(tenant, amendments)
  const places = kept.map(({ place }) => place)
  await tenant.transaction(tx => markAmended(tx, workspaceId, job.id, places))
  return again
}

/** Undefined where the memory is as the version would have made it: most are, and writing them takes as long as storing them did. */
export function amendmentOf(job: Job, memory: MemoryRecord, chunk: KeptChunk | undefined): MemoryAmendment | undefined {
  if (!chunk) return undefined
  const { metadata: made, sessionId = null } = memoryOf(job, { ...chunk, text: memory.text })
  const added = Object.entries(memory.metadata ?? {}).filter(([key]) => !DOCUMENT_KEYS.includes(key))
  const metadata = { ...Object.fromEntries(added), ...made }
  const categories = categoriesOf(job, memory, chunk)
  const isSame =
    memory.sessionId === sessionId &&
    sameCategories(categories, memory.categories) &&
    DOCUMENT_KEYS.every(key => JSON.stringify(memory.metadata?.[key]) === JSON.stringify(made?.[key]))
  return isSame ? undefined : { memory, sessionId, categories, metadata }
}

/** Categories that the older version did not give are somebody's own. */
function categoriesOf(job: Job, { categories }: MemoryRecord, { formerCategories }: KeptChunk): readonly string[] {
  if (formerCategories === null || sameCategories(formerCategories, job.categories)) return categories
  const own = categories.filter(category => !formerCategories.includes(category))
  return [...new Set([...job.categories, ...own])].slice(0, CATEGORIES_MAX)
}
