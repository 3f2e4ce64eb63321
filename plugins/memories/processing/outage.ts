import { EmbedderUnavailableError, isBusy, isContended, isUnavailable } from 'mneme/plugin'

/** Where the service that is away does not say when it will be back. */
const WAIT_MS = 30_000
/** Shorter than the time after which a memory counts as stalled, so that each wait is progress. */
const WAIT_MS_MAX = 90_000
/** The memory itself may be why a transaction loses or takes too long, so its attempts count again after this time. */
const CONTENTION_MS_MAX = 3_600_000

/**
 * Returns how long to wait where no memory is to blame: the embedder or the database is away; else undefined. However long the outage, the
 * memory is listed and found by its words meanwhile, and FAILED would only ask somebody to call for what comes by itself.
 */
export function outageWaitMs(error: unknown): number | undefined {
  if (error instanceof EmbedderUnavailableError) return Math.min(error.retryAfterMs ?? WAIT_MS, WAIT_MS_MAX)
  return isUnavailable(error) || isBusy(error) ? WAIT_MS : undefined
}

/** Returns how long one memory waits for an outage, or for a database that is too busy; undefined where the attempt counts. */
export function waitMsOf(error: unknown, waitingSince: Date | undefined): number | undefined {
  const waitedMs = waitingSince === undefined ? 0 : Date.now() - waitingSince.getTime()
  const waitsForOthers = isContended(error) && waitedMs < CONTENTION_MS_MAX
  return outageWaitMs(error) ?? (waitsForOthers ? WAIT_MS : undefined)
}
