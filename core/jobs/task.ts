import type { Static, TSchema } from '@sinclair/typebox'
import type { Tx } from '../db/database.ts'

/** A job to be added with the caller's transaction. */
export interface NewJob {
  /** `<plugin>:<verb>`. */
  readonly task: string
  readonly payload: Readonly<Record<string, unknown>>
  /**
   * At most one waiting job has a key: adding another replaces it. A running one is left to finish, is not tried again
   * should it fail, and may still be running when the new one starts.
   */
  readonly key?: string
  readonly runAt?: Date
  /** Lower runs first; 0 is the default. */
  readonly priority?: number
  readonly maxAttempts?: number
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
  /** Aborted when the process stops and the grace time is nearly over. */
  readonly signal: AbortSignal
}

/**
 * What is done with a job. It runs at least once, and in rare cases twice, even at the same time: when its process is cut
 * off from the database for long and comes back. So `run` must bear repetition.
 */
export interface TaskDefinition<S, P extends TSchema> {
  /** `<plugin>:<verb>`. */
  name: string
  payload: P
  /** Tries in all, default 5; between them graphile-worker waits exp(min(10, attempt)) seconds. */
  maxAttempts?: number
  run(input: TaskInput<S, Static<P>>): Promise<void>
  /** Called once, after the last failed attempt, so that the failure shows where the user looks. */
  exhausted?(input: TaskInput<S, Static<P>>, error: Error): Promise<void>
}

export type Task<S = never> = Omit<TaskDefinition<S, TSchema>, 'run' | 'exhausted'> & {
  run(input: TaskInput<S, never>): Promise<void>
  exhausted?(input: TaskInput<S, never>, error: Error): Promise<void>
}

/** A builder of tasks whose `run` sees `S` as its scope. */
export function tasksOf<S>() {
  return <P extends TSchema>(definition: TaskDefinition<S, P>): Task<S> => definition as Task<S>
}

/** Runs a task on a schedule, once in the whole deployment, in UTC. */
export interface CronEntry {
  /** Five-field cron expression. */
  readonly schedule: string
  readonly task: string
}
