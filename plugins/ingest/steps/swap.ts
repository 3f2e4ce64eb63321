import type { Tenant, Tx } from 'mneme/plugin'
import { memoryReader, memoryWriter, type PreparedMemories } from '../../memories/contract.ts'
import type { Job } from '../job.ts'
import { findWaiting, markStored, type WaitingChunk } from '../queries/chunks.ts'
import { advanceJob } from '../queries/jobs.ts'
import { dropOlder, hasEarlierJob, keepMatching, olderMemoryIds } from '../queries/versions.ts'
import type { IngestScope } from '../scope.ts'
import { lockActive } from './end.ts'
import { next, type Outcome } from './outcome.ts'
import { failureOf, memoryOf, storedOf } from './store.ts'

/** New chunks that appear together with the end of the gone ones; what a document has beyond that is added before, in parts. */
const TOGETHER_MAX = 2000
const PREPARED_TOGETHER = 64
/** Memories that one call deletes. */
const REMOVED_TOGETHER = 1000
/** A version looks again after so long whether the one before it has finished. */
const BEFORE_MS = 1000

interface Prepared {
  readonly chunks: readonly WaitingChunk[]
  readonly memories: PreparedMemories
}

/**
 * Puts a new version of a document in the place of the older one: unchanged chunks keep their memories, new ones appear and gone ones
 * vanish in one transaction. Until then the older version is found as it was.
 */
export async function swapDocument(scope: IngestScope, tenant: Tenant, job: Job): Promise<Outcome> {
  const { workspaceId } = tenant
  const mayBegin = await tenant.transaction(async tx => {
    await lockActive(tx, workspaceId, job.id)
    if (await hasEarlierJob(tx, workspaceId, job)) return false
    const older = await olderMemoryIds(tx, workspaceId, job)
    const there = await scope.wiring.use(memoryReader).visible(tx, older)
    await keepMatching(tx, workspaceId, job, there)
    return true
  })
  if (!mayBegin) return next(BEFORE_MS)
  const prepared = await prepare(scope, tenant, job)
  const isWhole = prepared.reduce((sum, { chunks }) => sum + chunks.length, 0) < TOGETHER_MAX
  await tenant.transaction(async tx => {
    await lockActive(tx, workspaceId, job.id)
    if (isWhole) await removeGone(tx, scope, tenant, job)
    for (const part of prepared) await create(tx, scope, tenant, job, part)
    if (isWhole) await advanceJob(tx, workspaceId, job.id, { stage: 'settle' })
  })
  return next()
}

/** The next new chunks, with all that storing them takes before the transaction. */
async function prepare(scope: IngestScope, tenant: Tenant, job: Job): Promise<Prepared[]> {
  const { workspaceId } = tenant
  const waiting = await tenant.transaction(tx => findWaiting(tx, workspaceId, job.id, TOGETHER_MAX))
  const parts: Prepared[] = []
  for (let at = 0; at < waiting.length; at += PREPARED_TOGETHER) {
    const chunks = waiting.slice(at, at + PREPARED_TOGETHER)
    const memories = await scope.wiring.use(memoryWriter).prepare(
      tenant,
      chunks.map(chunk => memoryOf(job, chunk)),
    )
    parts.push({ chunks, memories })
  }
  return parts
}

async function removeGone(tx: Tx, scope: IngestScope, tenant: Tenant, job: Job): Promise<void> {
  const { workspaceId } = tenant
  const gone = await dropOlder(tx, workspaceId, job)
  const writer = scope.wiring.use(memoryWriter)
  for (let at = 0; at < gone.length; at += REMOVED_TOGETHER) {
    await writer.remove(tx, tenant, gone.slice(at, at + REMOVED_TOGETHER))
  }
}

async function create(tx: Tx, scope: IngestScope, tenant: Tenant, job: Job, part: Prepared): Promise<void> {
  const results = await scope.wiring.use(memoryWriter).create(tx, tenant, part.memories)
  // Nothing is half replaced: what does not fit into the plan leaves the older version as it is.
  const failure = failureOf(tenant, results)
  if (failure) throw failure
  await markStored(tx, tenant.workspaceId, job.id, storedOf(part.chunks, results))
}
