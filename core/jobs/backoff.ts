import { DAY_MS } from '../durations.ts'

/** Says how long a failed job waits before it is tried again. */
export interface Backoff {
  /**
   * Milliseconds after the first failed attempt, the second, and so on; the last one repeats. Or a function of the attempt that
   * failed (1 is the first) and its error, e.g. for a `Retry-After`.
   */
  readonly delaysMs: readonly number[] | ((failedAttempt: number, error: Error) => number)
  /** Each delay is varied at random by up to this share of it, from 0 to 1, so that jobs do not come back together; 0.1. */
  readonly jitter?: number
}

const JITTER_DEFAULT = 0.1

/** No wait exceeds a year: whatever a task computes, its job comes again, and Postgres can store when. */
const DELAY_MAX_MS = 365 * DAY_MS

/**
 * Computes the wait after a failed attempt in whole milliseconds. `random` gives numbers from 0 up to 1, as
 * `Math.random`.
 */
export function delayAfter(backoff: Backoff, failedAttempt: number, error: Error, random: () => number): number {
  const { delaysMs, jitter = JITTER_DEFAULT } = backoff
  const delayMs =
    typeof delaysMs === 'function' ? delaysMs(failedAttempt, error) : (delaysMs[failedAttempt - 1] ?? delaysMs.at(-1))
  // A function may fail to give a number; a job that came back at once would be tried in a loop.
  const soundMs = Number.isFinite(delayMs) ? Math.max(0, delayMs ?? 0) : DELAY_MAX_MS
  return Math.round(Math.min(DELAY_MAX_MS, soundMs * (1 + jitter * (2 * random() - 1))))
}

/** Says what is wrong with a schedule, for a message at start; undefined when nothing is. */
export function backoffFault({ delaysMs, jitter = 0 }: Backoff): string | undefined {
  if (!(jitter >= 0 && jitter <= 1)) return 'the jitter of its back-off is a share from 0 to 1'
  if (typeof delaysMs === 'function') return undefined
  const sound = delaysMs.every(delayMs => delayMs >= 0 && delayMs <= DELAY_MAX_MS)
  return delaysMs.length > 0 && sound ? undefined : 'its back-off lists delays from 0 ms to a year, at least one'
}
