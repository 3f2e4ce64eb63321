import type { Static, TSchema } from '@sinclair/typebox'
import type { Tx } from '../db/database.ts'
import { DAY_MS } from '../durations.ts'
import type { Backoff } from './backoff.ts'

/** A job to be added with the caller's transaction. */
export interface NewJob {
  /** `<plugin>:<verb>`. */
  readonly task: string
  readonly payload: Readonly<Record<string, unknown>>
  /**
   * At most one waiting job has a key: adding another replaces it. A running one is left to finish, is not tried again
   * should it fail, and may still be running when the new one starts. Keys are shared by all plugins and tasks: begin it with the
   * plugin's id, e.g. `things:fold:<owner>`.
   */
  readonly key?: string
  readonly runAt?: Date
  /**
   * In place of `runAt`: so many milliseconds from now, by the database's clock, which jobs are run by. Less than 0 gives it the
   * place of one that was due then.
   */
  readonly inMs?: number
  /** Lower runs first; 0 is the default. */
  readonly priority?: number
  readonly maxAttempts?: number
  /**
   * At most `max` (1 to 1,000) jobs with the same limit key run at once, over all processes; the others wait in line, by
   * priority and time, without holding up jobs of other keys. Begin the key with the plugin's id, e.g. `things:<owner>`.
   */
  readonly limit?: JobLimit
}

export interface JobLimit {
  /** At most 200 characters. */
  readonly key: string
  readonly max: number
}

export interface JobQueue {
  /** Adds jobs inside `tx`: they exist when it commits. */
  enqueue(tx: Tx, jobs: readonly NewJob[]): Promise<void>
}

export interface TaskInput<S, P> {
  readonly payload: P
  readonly scope: S
  /** 1 on the first try. */
  readonly attempt: number
  readonly maxAttempts: number
  /** The job was snoozed without progress since then, by the database's clock; undefined before the first time. */
  readonly waitingSince?: Date | undefined
  /** Aborted when the task's time limit is over, or when the process stops and the grace time is nearly over. */
  readonly signal: AbortSignal
}

/** The job is not done: it comes again, and this run does not count as an attempt. Made by {@link snoozeFor}. */
export class Snooze {
  constructor(
    readonly inMs: number,
    /** Earlier failed attempts are forgotten. */
    readonly progressed: boolean,
  ) {}
}

/**
 * A task's `run` returns this when its job is to come again in `ms` milliseconds (at once with 0). With `progressed`,
 * earlier failures no longer count, so that a long job done in pieces may fail once in a while however many pieces it
 * has.
 */
export function snoozeFor(ms: number, { progressed = false }: { readonly progressed?: boolean } = {}): Snooze {
  if (!(ms <= SNOOZE_MS_MAX)) throw new Error('a job is snoozed for a year at the most')
  return new Snooze(Math.max(0, Math.ceil(ms)), progressed)
}

const SNOOZE_MS_MAX = 365 * DAY_MS

// biome-ignore lint/suspicious/noConfusingVoidType: most tasks return nothing, and `undefined` would make each say so.
export type TaskResult = Promise<Snooze | void>

/**
 * Says what is done with a job. It runs at least once, and in rare cases twice, even at the same time: when its process
 * is cut off from the database for long and comes back. So `run` must bear repetition.
 */
export interface TaskDefinition<S, P extends TSchema> {
  /** `<plugin>:<verb>`. */
  name: string
  payload: P
  /** Tries in all, default 5. */
  maxAttempts?: number
  /** Waits between tries; exp(min(10, attempt)) seconds without it. */
  backoff?: Backoff
  /**
   * Longest time of an attempt in milliseconds: its signal is aborted then, and the attempt has failed. One that goes on all the
   * same is abandoned five seconds later: its job is tried again without it, the log and the metrics tell, and where several
   * attempts of a task do so, the process takes no more of its jobs until one of them ends.
   */
  timeLimitMs?: number
  /** At most so many of its jobs run at once in one process, of the three quarters of its places that a plugin's jobs may take. */
  perProcessMax?: number
  /**
   * False for a task that also runs for workspaces whose plan lacks the plugin's feature. Otherwise a job whose payload has
   * their `workspace_id` is left out, with a note in the log.
   */
  gated?: boolean
  run(input: TaskInput<S, Static<P>>): TaskResult
  /** Called once, after the last failed attempt, so that the failure shows where the user looks. */
  exhausted?(input: TaskInput<S, Static<P>>, error: Error): Promise<void>
}

export type Task<S = never> = Omit<TaskDefinition<S, TSchema>, 'run' | 'exhausted'> & {
  run(input: TaskInput<S, never>): TaskResult
  exhausted?(input: TaskInput<S, never>, error: Error): Promise<void>
}

/** Makes a builder of tasks whose `run` sees `S` as its scope. */
export function tasksOf<S>() {
  return <P extends TSchema>(definition: TaskDefinition<S, P>): Task<S> => definition as Task<S>
}

/** Runs a task on a schedule, once in the whole deployment, in UTC. */
export interface CronEntry {
  /** Five-field cron expression. */
  readonly schedule: string
  readonly task: string
}

/** Gives time and chance to the runner, so that tests can set both. */
export interface JobClock {
  /** Delays begin at this time; undefined for the database's clock, the only one that all processes share. */
  now(): Date | undefined
  /** Returns a number from 0 up to 1. */
  random(): number
  /** Calls back once after `ms`; the result cancels that. */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: JobClock = {
  now: () => undefined,
  random: Math.random,
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
