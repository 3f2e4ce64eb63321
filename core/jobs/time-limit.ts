import { HOUR_MS } from '../durations.ts'
import type { JobClock } from './task.ts'

/** An attempt took too long; it is the reason of the aborted signal, and the error the attempt failed with. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/** An attempt may go on so long once its signal was aborted. */
export const OVERRUN_GRACE_MS = 5000

/** Attempts of one task in one process that ignore their aborted signal. From here on the process takes none of its jobs. */
export const OVERRUNS_MAX = 4

/** A task's `exhausted` may take so long. */
export const EXHAUSTED_LIMIT_MS = 60_000

/** No attempt takes longer: graphile-worker gives a job to another worker when it was locked four hours ago. */
export const ATTEMPT_LIMIT_MS = 3.5 * HOUR_MS

/**
 * Tracks abandoned attempts that still run. They cannot be ended, only counted: JavaScript has no way to stop a
 * function.
 */
export class Overruns {
  readonly #running = new Map<string, number>()
  readonly #changed: (task: string, count: number, by: number) => void

  /** @param changed is told how many there are of a task whenever that changes, and by how many */
  constructor(changed: (task: string, count: number, by: number) => void = () => undefined) {
    this.#changed = changed
  }

  /** Counts those of a task. */
  count(task: string): number {
    return this.#running.get(task) ?? 0
  }

  /** Maps tasks to their count, where there are any. */
  all(): ReadonlyMap<string, number> {
    return this.#running
  }

  add(task: string, work: Promise<unknown>): void {
    this.#change(task, 1)
    const ended = () => this.#change(task, -1)
    work.then(ended, ended)
  }

  #change(task: string, by: number): void {
    const count = this.count(task) + by
    if (count > 0) this.#running.set(task, count)
    else this.#running.delete(task)
    this.#changed(task, count, by)
  }
}

export interface TimeLimit {
  readonly task: string
  /** The error's sentence begins so; `the task`. */
  readonly what?: string
  readonly limitMs: number | undefined
  /** The process's signal. */
  readonly signal: AbortSignal
  readonly clock: JobClock
  readonly overruns: Overruns
}

/**
 * Runs `work` with a signal that is aborted with the process's, or when the time is over.
 * @throws TimeLimitError when it takes longer, whatever it comes to afterwards
 */
export async function withinLimit<T>(limit: TimeLimit, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { task, what = 'the task', limitMs, signal, clock, overruns } = limit
  if (limitMs === undefined) return work(signal)
  const timeout = new AbortController()
  const error = new TimeLimitError(`${what} ${task} took longer than ${Math.round(limitMs)} ms`)
  const { promise: abandoned, reject: abandon } = Promise.withResolvers<never>()
  const running = work(AbortSignal.any([signal, timeout.signal]))
  let cancel = clock.after(limitMs, () => {
    timeout.abort(error)
    cancel = clock.after(OVERRUN_GRACE_MS, () => {
      overruns.add(task, running)
      abandon(error)
    })
  })
  try {
    const result = await Promise.race([running, abandoned])
    // It may have returned early because of the signal, and then the work is not done.
    if (timeout.signal.aborted) throw error
    return result
  } catch (failure) {
    if (!timeout.signal.aborted || failure === error) throw failure
    throw new TimeLimitError(error.message, { cause: failure })
  } finally {
    cancel()
  }
}
