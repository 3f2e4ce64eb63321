import { Type } from '@sinclair/typebox'
import { failureReason, type Snooze, snoozeFor, type TaskInput, tasksOf } from 'mneme/plugin'
import { outageWaitMs, waitMsOf } from '../processing/outage.ts'
import { singleJob } from '../processing/queueing.ts'
import { markFailed, noteProgress } from '../queries/processing.ts'
import type { MemoriesScope, ProcessingJob } from '../scope.ts'

const task = tasksOf<MemoriesScope>()

/** A memory is tried so often before it is FAILED. */
const ATTEMPTS_MAX = 5

const workspaceId = Type.String({ minLength: 36, maxLength: 36 })
const version = {
  memory_id: Type.String({ minLength: 36, maxLength: 36 }),
  revision: Type.Integer(),
  characters: Type.Optional(Type.Integer()),
}

/** Takes one memory from PENDING to COMPLETED; jobs that start together are done in one pass. */
export const processTask = task({
  name: 'memories:process',
  payload: Type.Object({ workspace_id: workspaceId, ...version }),
  maxAttempts: ATTEMPTS_MAX,
  async run(input) {
    try {
      await input.scope.process(input.payload)
    } catch (error) {
      return waitOrFail(input, [input.payload], error, waitMsOf(error, input.waitingSince))
    }
  },
  exhausted: (input, error) => giveUp(input, [input.payload], error),
})

/**
 * Takes memories that were stored together from PENDING to COMPLETED. Those that fail for their own sake get jobs of their own, so that
 * they are tried again and fail without the others.
 */
export const processBatchTask = task({
  name: 'memories:process-batch',
  payload: Type.Object({ workspace_id: workspaceId, memories: Type.Array(Type.Object(version)) }),
  maxAttempts: ATTEMPTS_MAX,
  // Memories that are written one at a time find a place beside any number of batches.
  perProcessMax: 6,
  async run(input) {
    const { payload, scope } = input
    const jobs = jobsOf(payload)
    const outcomes = await Promise.allSettled(jobs.map(job => scope.process(job)))
    const errors = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
    const outage = errors.find(error => outageWaitMs(error) !== undefined)
    if (outage !== undefined) return waitOrFail(input, jobs, outage, outageWaitMs(outage))
    const failed = jobs.filter((_, place) => outcomes[place]?.status === 'rejected')
    if (failed.length === 0) return
    if (input.signal.aborted) throw errors[0]
    scope.log.warn({ err: errors[0], memories: failed.length }, 'memories of a batch are tried again one by one')
    const tenant = await scope.tenants.tenant(payload.workspace_id)
    // The batch was the first attempt.
    const again = failed.map(job => ({ ...singleJob(job), maxAttempts: ATTEMPTS_MAX - 1 }))
    await tenant.transaction(tx => scope.jobs.enqueue(tx, again))
  },
  exhausted: (input, error) => giveUp(input, jobsOf(input.payload), error),
})

function jobsOf({ workspace_id, memories }: { workspace_id: string; memories: Omit<ProcessingJob, 'workspace_id'>[] }) {
  return memories.map(memory => ({ workspace_id, ...memory }))
}

type Input = TaskInput<MemoriesScope, { readonly workspace_id: string }>

/** Lets a job come again after a wait without using up an attempt; rethrows the error where there is none. */
async function waitOrFail(
  input: Input,
  jobs: readonly ProcessingJob[],
  error: unknown,
  waitMs: number | undefined,
): Promise<Snooze> {
  const { scope, signal } = input
  await noteAttempt(input, jobs)
  if (waitMs === undefined || signal.aborted) throw error
  scope.log.warn({ err: error, waitMs }, 'memories wait for what their processing needs to be back')
  return snoozeFor(waitMs)
}

/** An attempt that took long ends now: the pause until the next one is no standstill, for which all attempts would begin anew. */
async function noteAttempt({ scope, payload }: Input, jobs: readonly ProcessingJob[]): Promise<void> {
  try {
    const tenant = await scope.tenants.tenant(payload.workspace_id)
    await tenant.transaction(tx => noteProgress(tx, tenant.workspaceId, jobs, new Date()))
  } catch (err) {
    scope.log.warn({ err }, 'an attempt to process memories failed, and could not be noted either')
  }
}

/** Marks memories FAILED for good. */
async function giveUp({ scope, payload }: Input, jobs: readonly ProcessingJob[], error: Error): Promise<void> {
  if (!(await scope.tenants.find(payload.workspace_id))) return
  const tenant = await scope.tenants.tenant(payload.workspace_id)
  const reason = failureReason('Processing', ATTEMPTS_MAX, error)
  for (const job of jobs) {
    await tenant.transaction(async tx => {
      const userId = await markFailed(tx, tenant.workspaceId, job, reason)
      if (userId === undefined) return
      const data = { id: job.memory_id, user_id: userId, revision: job.revision }
      const event = { workspaceId: tenant.workspaceId, subjectId: job.memory_id, userId, data }
      await scope.events.publish(tx, [{ kind: 'memory.failed', ...event }])
    })
  }
}
