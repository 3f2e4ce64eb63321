import { clearInterval, setInterval } from 'node:timers'
import type { Tenant } from 'mneme/plugin'
import type { Job } from '../job.ts'
import { findJob } from '../queries/jobs.ts'
import type { IngestScope } from '../scope.ts'
import { JobWithdrawn } from './outcome.ts'

/** A step that takes long learns within so long that its job was cancelled. */
const LOOK_MS = 1000

/** Aborts the work when its job is cancelled. */
export async function withCancel<T>(
  { log }: Pick<IngestScope, 'log'>,
  tenant: Tenant,
  job: Job,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const cancel = new AbortController()
  const look = async () => {
    const current = await tenant.transaction(tx => findJob(tx, tenant.workspaceId, job.id))
    if (!current || current.cancelled || current.stage === 'over')
      cancel.abort(new JobWithdrawn('the job was withdrawn'))
  }
  const timer = setInterval(() => {
    look().catch(error => log.debug({ err: error }, 'a look at a job under way failed'))
  }, LOOK_MS)
  try {
    return await work(AbortSignal.any([signal, cancel.signal]))
  } finally {
    clearInterval(timer)
  }
}
