import type { Tenant, Tx } from 'mneme/plugin'
import { type CreateResult, memoryReader, memoryWriter } from '../../memories/contract.ts'
import type { Job } from '../job.ts'
import {
  findHolders,
  findUnsettled,
  findWaiting,
  markStored,
  type StoredChunk,
  settleChunks,
  type WaitingChunk,
} from '../queries/chunks.ts'
import { holdMemories } from '../queries/heirs.ts'
import { advanceJob } from '../queries/jobs.ts'
import type { IngestScope } from '../scope.ts'
import { amendKept } from './amend.ts'
import { end, lockActive } from './end.ts'
import { memoryOf } from './memory-of.ts'
import { JobFailed, next, type Outcome, over } from './outcome.ts'

/** Memories that are stored together: a short transaction. */
const BATCH = 32
/** Memories of a job that wait for their processing at the most, so that those of others are processed between them. */
const WAITING_MAX = 256
/** A step stores for so long, then other jobs have their turn: chunks that are skipped never fill the room above. */
const STORE_MS = 1000
/** A job looks again for processed memories after so long; a long one that nothing was processed of, less often. */
const LOOK_MS = 100
const LOOK_IDLE_MS = 500
const HELD_BY_OTHERS =
  'Text that other users of the workspace have already was skipped: it is found under them, not under this user.'
/** One look at what is processed. */
const SETTLE_MAX = 500

/** Stores the next chunks as memories, no more of them than are soon processed, and counts those that are. */
export async function storeChunks(scope: IngestScope, tenant: Tenant, job: Job): Promise<Outcome> {
  const { settled, waiting } = await settle(scope, tenant, job)
  const until = performance.now() + STORE_MS
  let open = waiting
  while (open < WAITING_MAX) {
    const stored = await storeBatch(scope, tenant, job)
    if (stored === undefined || performance.now() > until) return next()
    open += stored
  }
  return next(lookAfter(settled, open))
}

function lookAfter(settled: number, waiting: number): number {
  return settled > 0 || waiting <= BATCH ? LOOK_MS : LOOK_IDLE_MS
}

/** Amends kept memories, no more of them than are soon processed, waits until all memories are searchable, then ends the job. */
export async function settleJob(scope: IngestScope, tenant: Tenant, job: Job): Promise<Outcome> {
  const { settled, waiting, isAll } = await settle(scope, tenant, job)
  const room = WAITING_MAX - waiting
  if (room > 0 && (await amendKept(scope, tenant, job, room))) return next()
  if (waiting > 0) return next(lookAfter(settled, waiting))
  if (!isAll) return next()
  const { workspaceId } = tenant
  await tenant.transaction(async tx => {
    const { memoriesFailed, warnings } = await lockActive(tx, workspaceId, job.id)
    if (await isHeldByOthers(tx, scope, workspaceId, job))
      await advanceJob(tx, workspaceId, job.id, { warnings: [...warnings, HELD_BY_OTHERS] })
    await end(tx, scope, workspaceId, job.id, memoriesFailed > 0 ? processingFailure(memoriesFailed) : null)
  })
  return over
}

/** Tells whether a search by the job's user misses some of the document, because other users have the same text already. */
async function isHeldByOthers(tx: Tx, { wiring }: IngestScope, workspaceId: string, job: Job): Promise<boolean> {
  const holders = await findHolders(tx, workspaceId, job.id, SETTLE_MAX)
  if (holders.length === 0) return false
  const records = await wiring.use(memoryReader).records(tx, holders)
  return records.some(({ userId }) => userId !== job.userId)
}

function processingFailure(count: number) {
  const what = count === 1 ? 'One memory' : `${count} memories`
  const message = `${what} of the document could not be processed and can be found by words only. The others are complete.`
  return { code: 'PROCESSING_FAILED', message }
}

/** Memories stored in this batch that wait for processing; undefined when no chunk was left and the job moved on. */
async function storeBatch(scope: IngestScope, tenant: Tenant, job: Job): Promise<number | undefined> {
  const { workspaceId } = tenant
  const writer = scope.wiring.use(memoryWriter)
  const chunks = await tenant.transaction(tx => findWaiting(tx, workspaceId, job.id, BATCH))
  const prepared = await writer.prepare(
    tenant,
    chunks.map(chunk => memoryOf(job, chunk)),
  )
  const results = await tenant.transaction(async tx => {
    await holdMemories(tx, workspaceId, 'storing')
    await lockActive(tx, workspaceId, job.id)
    if (chunks.length === 0) {
      await advanceJob(tx, workspaceId, job.id, { stage: 'settle' })
      return []
    }
    const made = await writer.create(tx, tenant, prepared)
    await markStored(tx, workspaceId, job.id, storedOf(chunks, made))
    return made
  })
  const refused = failureOf(tenant, results)
  if (refused) throw refused
  return chunks.length === 0 ? undefined : results.filter(result => 'created' in result).length
}

export function storedOf(chunks: readonly WaitingChunk[], results: readonly CreateResult[]): StoredChunk[] {
  return chunks.flatMap(({ place }, n): StoredChunk[] => {
    const result = results[n]
    if (!result || 'quotaExceeded' in result) return []
    if ('created' in result) return [{ place, state: 'created', memoryId: result.created.id, isSettled: false }]
    const memoryId = 'duplicateOf' in result ? result.duplicateOf : null
    return [{ place, state: 'skipped', memoryId, isSettled: true }]
  })
}

/** Says why no more can be stored, where that is so. */
export function failureOf(tenant: Tenant, results: readonly CreateResult[]): JobFailed | undefined {
  if (results.some(result => 'quotaExceeded' in result)) return quotaFailure(tenant)
  const refusals = results.flatMap(result => ('refused' in result ? [result.refused] : []))
  const secret = refusals.find(({ code }) => code === 'SECRET_REFUSED')
  return secret && new JobFailed(secret.code, secret.message)
}

export function quotaFailure({ workspace }: Tenant): JobFailed {
  const message = `The ${workspace.plan} plan's ${workspace.quotas.memories} memories are used up; what was stored before stays.`
  return new JobFailed('QUOTA_EXCEEDED', message)
}

interface Look {
  readonly settled: number
  /** Counts those of the memories looked at that are not through yet. */
  readonly waiting: number
  /** No other memories of the job may wait. */
  readonly isAll: boolean
}

/** Counts the memories that are through processing. */
async function settle({ wiring }: IngestScope, tenant: Tenant, job: Job): Promise<Look> {
  return tenant.transaction(async (tx: Tx) => {
    const { workspaceId } = tenant
    const unsettled = await findUnsettled(tx, workspaceId, job.id, SETTLE_MAX)
    const statuses = await wiring.use(memoryReader).statuses(tx, unsettled)
    // One that is gone was deleted by somebody: nothing is left to wait for.
    const through = unsettled.filter(id => !['PENDING', 'PROCESSING'].includes(statuses.get(id) ?? 'GONE'))
    const failed = through.filter(id => statuses.get(id) === 'FAILED').length
    await settleChunks(tx, workspaceId, job.id, through, failed)
    const isAll = unsettled.length < SETTLE_MAX
    return { settled: through.length, waiting: unsettled.length - through.length, isAll }
  })
}
