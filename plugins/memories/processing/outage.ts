import { EmbedderUnavailableError, isBusy, isUnavailable } from 'mneme/plugin'

/** Where the service that is away does not say when it will be back. */
const WAIT_MS = 30_000
/** Shorter than the time after which a memory counts as stalled, so that each wait is progress. */
const WAIT_MS_MAX = 90_000

/** Returns how long to wait where no memory is to blame: the embedder or the database is away; else undefined. */
export function outageWaitMs(error: unknown): number | undefined {
  if (error instanceof EmbedderUnavailableError) return Math.min(error.retryAfterMs ?? WAIT_MS, WAIT_MS_MAX)
  return isUnavailable(error) || isBusy(error) ? WAIT_MS : undefined
}
