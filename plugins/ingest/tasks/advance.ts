import { setTimeout as sleep } from 'node:timers/promises'
import { type Claim, isUnavailable, type NewJob, snoozeFor, type Tenant, Type, tasksOf } from 'mneme/plugin'
import { resetAttempts } from '../queries/work.ts'
import type { IngestScope } from '../scope.ts'
import type { Outcome } from '../steps/outcome.ts'
import { finish, step } from '../steps/step.ts'

const task = tasksOf<IngestScope>()
const ADVANCE = 'ingest:advance'

/** Tries of a step; a document that ends its process so often is what ended it. */
const ATTEMPTS_MAX = 4
const RETRY_MS = 2_000
/**
 * One run goes on for so long, and waits so long between two steps at the most: it holds a place that others may need.
 */
const RUN_MS = 2_000
const PAUSE_MS_MAX = 200
/** Longer than a reading may take that was handed its last chunks just before it would have given way. */
const TIME_LIMIT_MS = 600_000

/** Goes on with the jobs of a workspace, a step at a time and in turn, so that a small file does not wait behind a large one. */
export function advanceJobOf(workspaceId: string): NewJob {
  return {
    task: ADVANCE,
    payload: { workspace_id: workspaceId },
    key: `${ADVANCE}:${workspaceId}`,
    limit: { key: `ingest:${workspaceId}`, max: 1 },
  }
}

export const advanceTask = task({
  name: ADVANCE,
  payload: Type.Object({ workspace_id: Type.String({ minLength: 36, maxLength: 36 }) }),
  timeLimitMs: TIME_LIMIT_MS,
  async run({ payload: { workspace_id: workspaceId }, scope, signal }) {
    if (!(await scope.tenants.find(workspaceId))) return
    const tenant = await scope.tenants.tenant(workspaceId)
    const begunAt = performance.now()
    for (;;) {
      const inMs = await advance(scope, tenant, signal)
      if (inMs === undefined) return
      // A small file is through in a few steps, which need not wait for the queue each time.
      const isLate = performance.now() - begunAt > RUN_MS
      if (signal.aborted || isLate || inMs > PAUSE_MS_MAX) return snoozeFor(inMs, { progressed: true })
      await sleep(inMs, undefined, { signal })
    }
  },
})

/** One step of the job whose turn it is. @returns in how many milliseconds the next one is due, if there is any */
async function advance(scope: IngestScope, tenant: Tenant, signal: AbortSignal): Promise<number | undefined> {
  const { workspaceId } = tenant
  const claims = await tenant.transaction(tx => scope.work.claimIn(tx, workspaceId, 1))
  await scope.work.holding(scope.database, claims, signal, async (open, own) => {
    for (const claim of claims) {
      const outcome = await attempt(scope, tenant, claim, own)
      await settle(scope, tenant, claim, outcome)
      open.delete(claim)
    }
  })
  return tenant.transaction(tx => scope.work.nextDueInMs(tx, workspaceId))
}

/** A step that fails is tried again, a few times; then its job has failed, and says so. */
async function attempt(scope: IngestScope, tenant: Tenant, claim: Claim, signal: AbortSignal): Promise<Outcome> {
  if (claim.attempts > ATTEMPTS_MAX) {
    const message =
      'The job was interrupted several times, as by a server that stopped or ran out of memory. Submit the document again.'
    await finish(scope, tenant, claim.id, { code: 'INTERRUPTED', message })
    return { kind: 'over' }
  }
  try {
    return await step(scope, tenant, claim, signal)
  } catch (error) {
    if (signal.aborted || isUnavailable(error)) throw error
    scope.log.error({ err: error, job: claim.id, attempt: claim.attempts }, 'a step of an ingest job failed')
    if (claim.attempts < ATTEMPTS_MAX) return { kind: 'continue', inMs: RETRY_MS * claim.attempts, isRetry: true }
    const message = 'The document could not be stored, for a fault of the server. Try again later.'
    await finish(scope, tenant, claim.id, { code: 'INTERNAL_ERROR', message })
    return { kind: 'over' }
  }
}

async function settle(scope: IngestScope, tenant: Tenant, claim: Claim, outcome: Outcome): Promise<void> {
  await tenant.transaction(async tx => {
    if (outcome.kind === 'over') return void (await scope.work.finish(tx, [claim]))
    await scope.work.postpone(tx, [{ claim, inMs: outcome.inMs }])
    if (!outcome.isRetry) await resetAttempts(tx, tenant.workspaceId, claim.id)
  })
}
