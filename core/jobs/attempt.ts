import type { Job, JobHelpers } from 'graphile-worker'
import { AppError } from '../errors.ts'
import { blamedFor } from '../faults/attribution.ts'
import type { Logger } from '../log.ts'
import { describe } from '../quarantine/store.ts'
import { type Backoff, backoffFault, delayAfter } from './backoff.ts'
import { HISTORY } from './failed-jobs.ts'
import type { JobMetrics, JobOutcome } from './job-metrics.ts'
import { payloadReader } from './payload.ts'
import { ATTEMPTS_SURPLUS } from './queue.ts'
import { type JobClock, Snooze, type Task, type TaskInput } from './task.ts'
import { ATTEMPT_LIMIT_MS, EXHAUSTED_LIMIT_MS, type Overruns, TimeLimitError, withinLimit } from './time-limit.ts'

export const ATTEMPTS_DEFAULT = 5

/** A job may be cut off by its worker's death so often before it is given up: it may be what kills the workers. */
export const INTERRUPTIONS_MAX = 20

/** A task without a schedule of its own has graphile-worker's. */
const BACKOFF_DEFAULT: Backoff = { delaysMs: attempt => 1000 * Math.exp(Math.min(10, attempt)), jitter: 0 }

/** graphile-worker allows a job 25 attempts unless told otherwise when it is added; the rest is for reporting the failure. */
const TASK_ATTEMPTS_MAX = 20

/** A task with what its plugin's `setup` returned as its scope, both with their types erased. */
export interface MountedTask {
  readonly task: Task
  /** The plugin whose share of the places its jobs take; none for tasks of the kernel. */
  readonly owner?: string
  readonly scope: unknown
}

export interface AttemptContext {
  readonly log: Logger
  readonly metrics: JobMetrics | undefined
  /** Aborted when the runner stops and the grace time is nearly over. */
  readonly signal: AbortSignal
  readonly clock: JobClock
  readonly overruns: Overruns
}

/** graphile-worker calls it for a job: it resolves when the job is settled, and throws when that could not be written. */
export type Attempt = (payload: unknown, helpers: JobHelpers) => Promise<void>

type Input = TaskInput<never, never>

/** Says when a job comes again, and how its run counts. */
interface Requeuing {
  /** So many milliseconds from `now`, by default the database's. In its old place without it. */
  readonly at?: { readonly inMs: number; readonly now: Date | undefined }
  /** So many are behind it; null where it does not come again. */
  readonly attempts: number | null
  readonly flags?: readonly string[]
  /** Its flags tell since when it waits. */
  readonly waits?: boolean
  readonly error?: string
}

const REQUEUE = `
  select core.requeue_job(
    $1, $2::json, $3, $4, $5,
    array_remove($6::text[] || case when $8::bool then '${HISTORY.waitingSince}' || (to_jsonb(now()) #>> '{}') end, null), $7
  )`

/** The outcome of a task's run. */
type Result = { readonly error: Error } | { readonly snooze: Snooze } | { readonly done: true }

/**
 * Wraps a task: checks the payload, counts attempts, reports the last failure to `exhausted` and keeps texts out of the log.
 * A job whose last attempt failed is completed where `exhausted` shows that, or a schedule brings the next one. Any other stays for some days,
 * for an operator to see and to have tried again, as does one whose payload does not fit.
 */
export function attemptOf(mounted: MountedTask, context: AttemptContext): Attempt {
  const payloadOf = payloadReader(mounted.task.payload)
  return async (given, helpers) => {
    await new JobAttempt(mounted, context, helpers).run(payloadOf(given))
  }
}

/** Throws for declarations of a task that make no sense. */
export function checkTask({ name, maxAttempts = 0, backoff, timeLimitMs }: Task): void {
  if (maxAttempts > TASK_ATTEMPTS_MAX) {
    throw new Error(`task ${name}: more than ${TASK_ATTEMPTS_MAX} attempts must be asked for by each job`)
  }
  const fault = backoff && backoffFault(backoff)
  if (fault !== undefined) throw new Error(`task ${name}: ${fault}`)
  // A timer takes at most so long.
  if (timeLimitMs !== undefined && !(timeLimitMs >= 1 && timeLimitMs < 2 ** 31))
    throw new Error(`task ${name}: a time limit is 1 ms to 24 days`)
}

/** One attempt at a job. */
class JobAttempt {
  readonly #startedAt = performance.now()
  readonly #log: Logger

  constructor(
    private readonly mounted: MountedTask,
    private readonly context: AttemptContext,
    private readonly helpers: JobHelpers,
  ) {
    this.#log = context.log.child({ task: mounted.task.name, job: helpers.job.id })
  }

  async run(payload: ReturnType<ReturnType<typeof payloadReader>>): Promise<void> {
    // Replacing a locked job sets its attempts to the maximum. A job that was replaced before it started comes like this.
    if (this.helpers.job.attempts >= this.helpers.job.max_attempts) return this.#finished('superseded')
    if (!payload.valid) return this.#refuse(payload.faults)
    const input = this.#inputOf(payload.value)
    const over =
      this.helpers.job.attempts > input.maxAttempts || interruptionsOf(this.helpers.job.flags) > INTERRUPTIONS_MAX
    const result = over ? { error: lastError(this.helpers.job) } : await this.#work(input)
    if ('done' in result) return this.#finished('completed')
    if ('snooze' in result) return this.#snooze(result.snooze)
    if (this.context.signal.aborted && !over) return this.#giveBack()
    await this.#fail(input, result.error, this.helpers.job.attempts >= input.maxAttempts || over)
  }

  /** Another version queued it. No further attempt could take it, and `exhausted` cannot read it either. */
  async #refuse(faults: readonly string[]): Promise<void> {
    const error = new Error(`its payload is not what the task expects: ${faults.join(', ')}`)
    this.#finished('failed')
    this.#log.error(
      { plugin: this.mounted.owner, faults },
      'job failed for good: its payload is not what the task expects',
    )
    await this.#keepFailed(error)
  }

  #inputOf(payload: unknown): Input {
    const maxAttempts = attemptsOf(this.helpers.job, this.mounted.task)
    return {
      payload: payload as never,
      scope: this.mounted.scope as never,
      attempt: Math.min(this.helpers.job.attempts, maxAttempts),
      maxAttempts,
      waitingSince: waitingSince(this.helpers.job),
      signal: this.context.signal,
    }
  }

  async #work(input: Input): Promise<Result> {
    const { name: task, timeLimitMs = ATTEMPT_LIMIT_MS } = this.mounted.task
    const limitMs = Math.min(timeLimitMs, ATTEMPT_LIMIT_MS)
    const { signal, clock, overruns } = this.context
    try {
      const result = await withinLimit({ task, limitMs, signal, clock, overruns }, own =>
        this.mounted.task.run({ ...input, signal: own }),
      )
      return result instanceof Snooze ? { snooze: result } : { done: true }
    } catch (error) {
      // The workspace was deleted in the meantime: nothing is left to do, now or later.
      if (error instanceof AppError && error.code === 'WORKSPACE_NOT_FOUND') return { done: true }
      return { error: toError(error) }
    }
  }

  async #snooze({ inMs, progressed }: Snooze): Promise<void> {
    const { attempts } = this.helpers.job
    const at = { inMs, now: this.context.clock.now() }
    await this.#requeue(
      progressed
        ? { at, attempts: 0, flags: this.#flags(HISTORY.interrupted, HISTORY.waitingSince) }
        : { at, attempts: attempts - 1, waits: true },
    )
    this.#finished('snoozed')
  }

  /** The process stops, which is not the job's fault. */
  async #giveBack(): Promise<void> {
    await this.#requeue({ attempts: this.helpers.job.attempts - 1 })
    this.#finished('interrupted')
  }

  async #fail(input: Input, error: Error, last: boolean): Promise<void> {
    const { attempt, maxAttempts } = input
    const told = { plugin: blamedFor(error) ?? this.mounted.owner, err: error, attempt, maxAttempts }
    if (!last) {
      this.#log.warn(told, 'job failed and will be tried again')
      this.#finished(error instanceof TimeLimitError ? 'timed_out' : 'retried')
      return this.#tryAgain(error, this.mounted.task.backoff)
    }
    this.#finished('failed')
    this.#log.error(told, 'job failed for good')
    if (!this.mounted.task.exhausted) return this.#keepFailed(error)
    if (await superseded(this.helpers)) return
    try {
      await this.#reportExhausted(input, error)
    } catch (failure) {
      // The job comes again only to report its failure.
      await this.#tryAgain(toError(failure))
    }
  }

  async #keepFailed(error: Error): Promise<void> {
    if (isScheduled(this.helpers.job)) return
    // Once it is replaced, it loses its key, and is no more of interest.
    const keyed = this.helpers.job.key === null ? [] : [HISTORY.failedKeyed]
    const flags = [...this.#flags(), HISTORY.failed, HISTORY.failedAfter + this.helpers.job.attempts, ...keyed]
    await this.#requeue({ attempts: null, flags, error: describe(error) })
  }

  async #reportExhausted(input: Input, error: Error): Promise<void> {
    const { name: task } = this.mounted.task
    const { signal, clock, overruns } = this.context
    const limit = { task, limitMs: EXHAUSTED_LIMIT_MS, signal, clock, overruns, what: '`exhausted` of the task' }
    await withinLimit(limit, async own => this.mounted.task.exhausted?.({ ...input, signal: own }, error))
  }

  async #tryAgain(error: Error, backoff = BACKOFF_DEFAULT): Promise<void> {
    const { clock } = this.context
    const inMs = delayAfter(backoff, this.helpers.job.attempts, error, () => clock.random())
    await this.#requeue({ at: { inMs, now: clock.now() }, attempts: this.helpers.job.attempts, error: describe(error) })
  }

  /** Adds the job anew, since only graphile-worker may change a job that is being run; this one is then completed. */
  async #requeue({ at, attempts, waits, flags = this.#flags(), error }: Requeuing): Promise<void> {
    const { job } = this.helpers
    const begins = waits === true && waitingSince(job) === undefined
    await this.helpers.query(REQUEUE, [
      ...[
        job.id,
        JSON.stringify(job.payload),
        at?.now ?? null,
        at?.inMs ?? null,
        attempts,
        flags,
        error ?? null,
        begins,
      ],
    ])
  }

  /** Returns the job's flags, without those that begin so. */
  #flags(...without: string[]): string[] {
    return Object.keys(this.helpers.job.flags ?? {}).filter(flag => !without.some(prefix => flag.startsWith(prefix)))
  }

  #finished(outcome: JobOutcome): void {
    this.context.metrics?.finished(this.mounted.task.name, outcome, this.#startedAt)
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('the task threw something that is no Error', { cause: thrown })
}

/** See {@link ATTEMPTS_SURPLUS}. */
function attemptsOf(job: Job, task: Task): number {
  return job.max_attempts > ATTEMPTS_SURPLUS
    ? job.max_attempts - ATTEMPTS_SURPLUS
    : (task.maxAttempts ?? ATTEMPTS_DEFAULT)
}

/** graphile-worker marks the jobs of a schedule in their payload. */
function isScheduled({ payload }: Job): boolean {
  return typeof payload === 'object' && payload !== null && '_cron' in payload
}

/** Counts how often a job was cut off by its worker's death. */
function interruptionsOf(flags: Job['flags']): number {
  return Number(flagOf(flags, HISTORY.interrupted) ?? 0)
}

function waitingSince(job: Job): Date | undefined {
  const since = flagOf(job.flags, HISTORY.waitingSince)
  return since === undefined ? undefined : new Date(since)
}

/** Returns what follows the prefix in a flag that begins with it. */
function flagOf(flags: Job['flags'], prefix: string): string | undefined {
  return Object.keys(flags ?? {})
    .find(flag => flag.startsWith(prefix))
    ?.slice(prefix.length)
}

function lastError(job: Job): Error {
  return new Error(job.last_error ?? `the worker died during the job ${interruptionsOf(job.flags)} times`)
}

/**
 * Tells whether the job was replaced while it ran: then its successor decides, and reporting this failure would be
 * wrong.
 */
async function superseded({ job, query }: JobHelpers): Promise<boolean> {
  const { rows } = await query<{ current: boolean }>(
    'select attempts < max_attempts as current from graphile_worker.jobs where id = $1',
    [job.id],
  )
  return rows[0]?.current !== true
}
