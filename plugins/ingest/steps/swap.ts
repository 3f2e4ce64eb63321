import { inParts, type Tenant, type Tx } from 'mneme/plugin'
import { memoryReader, memoryWriter, type PreparedMemories } from '../../memories/contract.ts'
import type { Job } from '../job.ts'
import { findWaiting, markStored, type StoredChunk, type WaitingChunk } from '../queries/chunks.ts'
import { holdMemories } from '../queries/heirs.ts'
import { advanceJob } from '../queries/jobs.ts'
import {
  countDifference,
  type Difference,
  dropGone,
  findGoing,
  hasEarlierJob,
  keepMatching,
  lockOlder,
  olderMemoryIds,
  takeOverKept,
} from '../queries/versions.ts'
import type { IngestScope } from '../scope.ts'
import { lockActive, lockUnfinished } from './end.ts'
import { amendHanded, removeLeaving } from './hand-over.ts'
import { memoryOf } from './memory-of.ts'
import { next, type Outcome } from './outcome.ts'
import { failureOf, quotaFailure, storedOf } from './store.ts'

/** One transaction adds and deletes so many memories at the most; a larger difference is exchanged in several. */
export const EXCHANGED_TOGETHER_MAX = 2000
const PREPARED_TOGETHER = 64
/** A version looks again after so long whether the one before it has finished. */
const BEFORE_MS = 1000

interface Prepared {
  readonly chunks: readonly WaitingChunk[]
  readonly memories: PreparedMemories
}

/**
 * Begins to put a new version of a document in the place of the older one: unchanged chunks keep their memories. Until the first page is
 * exchanged, the older version is found as it was, and the job can still be cancelled.
 */
export async function swapDocument(scope: IngestScope, tenant: Tenant, job: Job): Promise<Outcome> {
  const { workspaceId } = tenant
  const mayBegin = await tenant.transaction(async tx => {
    await lockActive(tx, workspaceId, job.id)
    // Whoever deletes one of them notes that in its row.
    await lockOlder(tx, workspaceId, job)
    if (await hasEarlierJob(tx, workspaceId, job)) return false
    const older = await olderMemoryIds(tx, workspaceId, job)
    const there = await scope.wiring.use(memoryReader).visible(tx, older)
    await keepMatching(tx, workspaceId, job, there)
    return true
  })
  if (!mayBegin) return next(BEFORE_MS)
  return exchange(scope, tenant, job, lockActive)
}

/** Exchanges the next page of a version that has begun to show; it goes on to the end even if the job is cancelled. */
export function exchangePage(scope: IngestScope, tenant: Tenant, job: Job): Promise<Outcome> {
  return exchange(scope, tenant, job, lockUnfinished)
}

/**
 * Adds new chunks and deletes gone ones in one transaction: all of them, or of more than a page the next in the order of the document, as
 * large a share of these as of those.
 */
async function exchange(scope: IngestScope, tenant: Tenant, job: Job, lock: typeof lockActive): Promise<Outcome> {
  const { workspaceId } = tenant
  const difference = await tenant.transaction(tx => countDifference(tx, workspaceId, job))
  const pages = Math.max(1, Math.ceil(Math.max(difference.added, difference.gone) / scope.exchangedTogetherMax))
  const prepared = await prepare(scope, tenant, job, Math.ceil(difference.added / pages))
  const { gone, handed } = await tenant.transaction(async tx => {
    await holdMemories(tx, workspaceId, 'removing')
    await lock(tx, workspaceId, job.id)
    if (pages > 1) await requireRoom(tx, scope, tenant, difference)
    // The older version may have been given memories since they were counted, and none of them may be left behind.
    const gone = await dropGone(tx, workspaceId, job, pages > 1 ? Math.ceil(difference.gone / pages) : undefined)
    const ids = gone.map(({ memoryId }) => memoryId)
    const { removed, handed } = await removeLeaving(tx, scope, tenant, job, ids)
    for (const part of prepared) await create(tx, scope, tenant, job, part)
    if (pages === 1) await takeOverKept(tx, workspaceId, job)
    const stage = pages === 1 ? 'settle' : 'exchange'
    await advanceJob(tx, workspaceId, job.id, { stage, memoriesRemoved: removed.length })
    return { gone, handed }
  })
  await amendHanded(scope, tenant, gone, handed)
  return next()
}

/** A version that cannot be stored to its end does not begin to show. */
async function requireRoom(tx: Tx, { wiring }: IngestScope, tenant: Tenant, { added, gone }: Difference) {
  const wanted = Math.max(0, added - gone)
  if ((await wiring.use(memoryWriter).room(tx, tenant, wanted)) < wanted) throw quotaFailure(tenant)
}

/** The next new chunks, with all that storing them takes before the transaction. */
async function prepare(scope: IngestScope, tenant: Tenant, job: Job, limit: number): Promise<Prepared[]> {
  const { workspaceId } = tenant
  const waiting = await tenant.transaction(tx => findWaiting(tx, workspaceId, job.id, limit))
  const parts: Prepared[] = []
  for (const chunks of inParts(waiting, PREPARED_TOGETHER)) {
    const memories = await scope.wiring.use(memoryWriter).prepare(
      tenant,
      chunks.map(chunk => memoryOf(job, chunk)),
    )
    parts.push({ chunks, memories })
  }
  return parts
}

async function create(tx: Tx, scope: IngestScope, tenant: Tenant, job: Job, part: Prepared): Promise<void> {
  const results = await scope.wiring.use(memoryWriter).create(tx, tenant, part.memories)
  // A page that does not fit into the plan leaves the older one as it is.
  const failure = failureOf(tenant, results)
  if (failure) throw failure
  await markStored(tx, tenant.workspaceId, job.id, await keptOf(tx, tenant, job, storedOf(part.chunks, results)))
}

/** A text may stand in a memory that somebody edited and that a later page would delete with its older chunk: the new version keeps it. */
async function keptOf(
  tx: Tx,
  { workspaceId }: Tenant,
  job: Job,
  chunks: readonly StoredChunk[],
): Promise<StoredChunk[]> {
  const elsewhere = chunks.flatMap(({ state, memoryId }) => (state === 'skipped' && memoryId !== null ? memoryId : []))
  const going = await findGoing(tx, workspaceId, job, elsewhere)
  return chunks.map(chunk => {
    const { state, memoryId } = chunk
    const keptFrom = state === 'skipped' && memoryId !== null ? going.get(memoryId) : undefined
    if (memoryId === null || keptFrom === undefined) return chunk
    going.delete(memoryId)
    return { ...chunk, state: 'kept', keptFrom, isSettled: false }
  })
}
