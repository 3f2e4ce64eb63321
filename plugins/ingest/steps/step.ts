import type { Tenant } from 'mneme/plugin'
import { findJob } from '../queries/jobs.ts'
import type { IngestScope } from '../scope.ts'
import { rankOf, type WorkClaim } from '../work.ts'
import { CANCELLED, end } from './end.ts'
import { fetchPage } from './fetch.ts'
import { JobFailed, JobWithdrawn, next, type Outcome, over } from './outcome.ts'
import { readChunks } from './read.ts'
import { settleJob, storeChunks } from './store.ts'
import { exchangePage, swapDocument } from './swap.ts'

/** Does the next step of a job. Whatever it is repeated for, it finds the work of the last one done. */
export async function step(
  scope: IngestScope,
  tenant: Tenant,
  claim: WorkClaim,
  signal: AbortSignal,
): Promise<Outcome> {
  const { workspaceId } = tenant
  const job = await tenant.transaction(tx => findJob(tx, workspaceId, claim.id))
  if (!job || job.stage === 'over') return over
  try {
    if (job.cancelled && job.stage !== 'exchange') throw new JobWithdrawn('the job was cancelled')
    // Its process ended before it could queue the job anew, or was one that knew a single queue.
    if (rankOf(job.stage) !== claim.row.rank) return next()
    switch (job.stage) {
      case 'fetch':
        return await fetchPage(scope, tenant, job, claim.attempts, signal)
      case 'read':
        return await readChunks(scope, tenant, job, signal)
      case 'store':
        return await storeChunks(scope, tenant, job)
      case 'swap':
        return await swapDocument(scope, tenant, job)
      case 'exchange':
        return await exchangePage(scope, tenant, job)
      case 'settle':
        return await settleJob(scope, tenant, job)
    }
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof JobFailed) await finish(scope, tenant, job.id, error)
    else if (error instanceof JobWithdrawn) await finish(scope, tenant, job.id, CANCELLED)
    else throw error
    return over
  }
}

/** Ends a job as FAILED. */
export async function finish(
  scope: IngestScope,
  tenant: Tenant,
  id: string,
  failure: { readonly code: string; readonly message: string },
): Promise<void> {
  const { workspaceId } = tenant
  await tenant.transaction(tx => end(tx, scope, workspaceId, id, { code: failure.code, message: failure.message }))
}
