import type { Tx } from 'mneme/plugin'
import { failedEvent, finishedEvent } from '../events.ts'
import type { Job, JobFailure } from '../job.ts'
import { endJob, findJob } from '../queries/jobs.ts'
import type { IngestScope } from '../scope.ts'
import { JobWithdrawn } from './outcome.ts'

/** Ends a job in the caller's transaction, lets its file go and tells of it; nothing happens where it has ended already. */
export async function end(
  tx: Tx,
  { events, files }: Pick<IngestScope, 'events' | 'files'>,
  workspaceId: string,
  id: string,
  failure: JobFailure | null,
): Promise<Job | undefined> {
  const job = await endJob(tx, workspaceId, id, failure)
  // A step that went on after the job had ended may have stored some of the file again.
  await files.remove(tx, workspaceId, [id])
  if (job) await events.publish(tx, [failure ? failedEvent(workspaceId, job) : finishedEvent(workspaceId, job)])
  return job
}

/** The job, locked until the transaction ends. @throws JobWithdrawn where it was cancelled, has ended or is gone */
export async function lockActive(tx: Tx, workspaceId: string, id: string): Promise<Job> {
  const job = await lockUnfinished(tx, workspaceId, id)
  if (job.cancelled) throw new JobWithdrawn('the job was cancelled')
  return job
}

/** As {@link lockActive}, for a step that a cancelled job still does. */
export async function lockUnfinished(tx: Tx, workspaceId: string, id: string): Promise<Job> {
  const job = await findJob(tx, workspaceId, id, 'locked')
  if (!job || job.stage === 'over') throw new JobWithdrawn('the job was withdrawn')
  return job
}

export const CANCELLED: JobFailure = {
  code: 'CANCELLED',
  message: 'The job was cancelled. The memories that it had made by then are kept.',
}
