import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Job, JobHelpers } from 'graphile-worker'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { JobMetrics } from './job-metrics.ts'
import { INTERRUPTIONS_MAX } from './leases.ts'
import { ATTEMPTS_SURPLUS } from './queue.ts'
import type { Task, TaskInput } from './task.ts'

export const ATTEMPTS_DEFAULT = 5

/** graphile-worker allows a job 25 attempts unless told otherwise when it is added; the rest is for reporting the failure. */
const TASK_ATTEMPTS_MAX = 20

/** A task with what its plugin's `setup` returned as its scope, both with their types erased. */
export interface MountedTask {
  readonly task: Task
  readonly scope: unknown
}

export interface AttemptContext {
  readonly log: Logger
  readonly metrics: JobMetrics | undefined
  /** Aborted when the runner stops and the grace time is nearly over. */
  readonly signal: AbortSignal
  /** Ids of the jobs that are running. */
  readonly running: Set<string>
  /** Gives a job back as if it had not been started. */
  giveBack(jobId: string): Promise<void>
}

/** What graphile-worker calls for a job: resolves when the job is done with, throws when it is to be tried again. */
export type Attempt = (payload: unknown, helpers: JobHelpers) => Promise<void>

/**
 * Wraps a task: checks the payload, counts attempts, reports the last failure to `exhausted` and keeps texts out of the log.
 * A job whose last attempt failed is completed, so that no dead rows pile up; the log and `exhausted` keep the reason.
 */
export function attemptOf({ task, scope }: MountedTask, context: AttemptContext): Attempt {
  if ((task.maxAttempts ?? 0) > TASK_ATTEMPTS_MAX) {
    throw new Error(`task ${task.name}: more than ${TASK_ATTEMPTS_MAX} attempts must be asked for by each job`)
  }
  const payloadOf = payloadReader(task.payload)
  const attempt: Attempt = async (given, helpers) => {
    const { job } = helpers
    const log = context.log.child({ task: task.name, job: job.id })
    const startedAt = performance.now()
    const payload = payloadOf(given)
    if (!payload.valid) {
      // Never the values: payloads may carry users' data.
      log.error({ fields: payload.faults }, 'job dropped: its payload is not what the task expects')
      return context.metrics?.finished(task.name, 'dropped', startedAt)
    }
    // Replacing a locked job sets its attempts to the maximum. One that was not started yet but went back comes again like this.
    if (job.attempts >= job.max_attempts) return context.metrics?.finished(task.name, 'superseded', startedAt)
    const maxAttempts = attemptsOf(job, task)
    const input = {
      payload: payload.value as never,
      scope: scope as never,
      attempt: Math.min(job.attempts, maxAttempts),
      maxAttempts,
      signal: context.signal,
    }
    const over = job.attempts > maxAttempts || interruptions(job) > INTERRUPTIONS_MAX
    const error = over ? lastError(job) : await run(task, input)
    if (error === undefined) return context.metrics?.finished(task.name, 'completed', startedAt)
    if (context.signal.aborted && !over) {
      // Not the job's fault. Once unlocked, the failure that graphile-worker records next finds nothing to change.
      await context.giveBack(job.id)
      context.metrics?.finished(task.name, 'interrupted', startedAt)
      throw error
    }
    const last = job.attempts >= maxAttempts || over
    context.metrics?.finished(task.name, last ? 'failed' : 'retried', startedAt)
    if (!last) {
      log.warn({ err: error, attempt: job.attempts, maxAttempts }, 'job failed and will be tried again')
      throw error
    }
    log.error({ err: error, attempt: input.attempt, maxAttempts }, 'job failed for good')
    if (task.exhausted && !(await superseded(helpers))) await task.exhausted(input, error)
  }
  return async (given, helpers) => {
    context.running.add(helpers.job.id)
    try {
      await attempt(given, helpers)
    } finally {
      context.running.delete(helpers.job.id)
    }
  }
}

async function run(task: Task, input: TaskInput<never, never>): Promise<Error | undefined> {
  try {
    await task.run(input)
    return undefined
  } catch (error) {
    // The workspace was deleted in the meantime: nothing is left to do, now or later.
    if (error instanceof AppError && error.code === 'WORKSPACE_NOT_FOUND') return undefined
    return error instanceof Error ? error : new Error('the task threw something that is no Error', { cause: error })
  }
}

/** See {@link ATTEMPTS_SURPLUS}. */
function attemptsOf(job: Job, task: Task): number {
  return job.max_attempts > ATTEMPTS_SURPLUS
    ? job.max_attempts - ATTEMPTS_SURPLUS
    : (task.maxAttempts ?? ATTEMPTS_DEFAULT)
}

function interruptions(job: Job): number {
  const count = Reflect.get(job.flags ?? {}, 'interrupted')
  return typeof count === 'number' ? count : 0
}

function lastError(job: Job): Error {
  return new Error(job.last_error ?? `the worker died during the job ${interruptions(job)} times`)
}

/** Whether the job was replaced while it ran: then its successor decides, and reporting this failure would be wrong. */
async function superseded({ job, query }: JobHelpers): Promise<boolean> {
  const { rows } = await query<{ current: boolean }>(
    'select attempts < max_attempts as current from graphile_worker._private_jobs where id = $1',
    [job.id],
  )
  return rows[0]?.current !== true
}

type PayloadReading = { valid: true; value: unknown } | { valid: false; faults: string[] }

/** Compiled once. Cron jobs carry a `_cron` field of graphile-worker's, which tasks need not declare. */
function payloadReader(schema: TSchema): (given: unknown) => PayloadReading {
  const compiled = TypeCompiler.Compile(schema)
  return given => {
    const value = withoutCron(given)
    if (compiled.Check(value)) return { valid: true, value }
    return { valid: false, faults: [...compiled.Errors(value)].map(error => error.path).slice(0, 10) }
  }
}

function withoutCron(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('_cron' in payload)) return payload
  const { _cron, ...rest } = payload
  return rest
}
