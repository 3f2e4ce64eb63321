import { isBusy, isContended, isUnavailable, type Tenant } from 'mneme/plugin'
import { queueNextStep } from '../queries/work.ts'
import type { IngestScope } from '../scope.ts'
import type { Outcome } from '../steps/outcome.ts'
import { finish, step } from '../steps/step.ts'
import { RANKS, type WorkClaim, type WorkQueue } from '../work.ts'
import { advanceJobOf, fetchJobOf } from './jobs.ts'

/** Tries of a step; a document that ends its process so often is what ended it. */
const ATTEMPTS_MAX = 4
const RETRY_MS = 2_000
/**
 * While the database is too busy for a step, it is tried so often: for an hour, with pauses that grow to two minutes. A document that
 * always takes it too long would come again for ever.
 */
const BUSY_ATTEMPTS_MAX = 60
/** The work table keeps this reason of a pause, and from one claim to the next it tells what the tries were. */
const BUSY = 'the database was too busy'

/** Does the next step of each job that was claimed, and queues what comes after it. */
export async function doSteps(
  scope: IngestScope,
  tenant: Tenant,
  queue: WorkQueue,
  claims: readonly WorkClaim[],
  signal: AbortSignal,
): Promise<void> {
  await queue.holding(scope.database, claims, signal, async (open, own) => {
    for (const claim of claims) {
      const outcome = await attempt(scope, tenant, claim, own)
      await settle(scope, tenant, queue, claim, outcome)
      open.delete(claim)
    }
  })
}

/** A step that fails is tried again, a few times; then its job has failed, and says so. */
async function attempt(scope: IngestScope, tenant: Tenant, claim: WorkClaim, signal: AbortSignal): Promise<Outcome> {
  if (claim.attempts > (claim.row.error === BUSY ? BUSY_ATTEMPTS_MAX : ATTEMPTS_MAX)) {
    const message =
      'The job was interrupted several times, as by a server that stopped or ran out of memory. Submit the document again.'
    await finish(scope, tenant, claim.id, { code: 'INTERRUPTED', message })
    return { kind: 'over' }
  }
  try {
    return await step(scope, tenant, claim, signal)
  } catch (error) {
    if (signal.aborted || isUnavailable(error) || isBusy(error)) throw error
    return afterFailure(scope, tenant, claim, error)
  }
}

async function afterFailure(
  scope: IngestScope,
  tenant: Tenant,
  { id, attempts }: WorkClaim,
  error: unknown,
): Promise<Outcome> {
  const retry = { kind: 'continue', inMs: RETRY_MS * attempts, isRetry: true } as const
  if (isContended(error) && attempts < BUSY_ATTEMPTS_MAX) {
    scope.log.warn({ err: error, job: id, attempt: attempts }, 'a step of an ingest job waits for a busy database')
    return { ...retry, reason: BUSY }
  }
  scope.log.error({ err: error, job: id, attempt: attempts }, 'a step of an ingest job failed')
  if (attempts < ATTEMPTS_MAX) return retry
  const message = 'The document could not be stored, for a fault of the server. Try again later.'
  await finish(scope, tenant, id, { code: 'INTERNAL_ERROR', message })
  return { kind: 'over' }
}

async function settle(
  scope: IngestScope,
  tenant: Tenant,
  queue: WorkQueue,
  claim: WorkClaim,
  outcome: Outcome,
): Promise<void> {
  const { workspaceId } = tenant
  await tenant.transaction(async tx => {
    if (outcome.kind === 'over') return void (await queue.finish(tx, [claim]))
    const { inMs, isRetry, reason } = outcome
    await queue.postpone(tx, [{ claim, inMs, ...(reason === undefined ? {} : { reason }) }])
    const before = claim.row.rank
    const rank = isRetry ? before : await queueNextStep(tx, workspaceId, claim.id)
    if (rank === RANKS.fetching) await scope.jobs.enqueue(tx, [fetchJobOf(workspaceId, { jobId: claim.id, inMs })])
    else if (rank !== before) await scope.jobs.enqueue(tx, [advanceJobOf(workspaceId)])
  })
}
