import { AppError, DAY_MS, EmbedderUnavailableError, isContended, isUnavailable } from 'mneme/plugin'

/** The waits grow from one to the other, since each try may ask a language model again. */
const WAIT_MS_MIN = 30_000
/** Shorter than the time after which a conversation counts as stalled. */
const WAIT_MS_MAX = 600_000
/** A conversation waits for so long in all without using up attempts. */
const OUTAGE_MS_MAX = DAY_MS

/**
 * Returns how long to wait where the conversation is not to blame: the database is away or busy, or a plugin that reviews memories
 * fails. Undefined for other failures, and when it has waited for a day.
 */
export function outageWaitMs(error: unknown, waitingSince: Date | undefined): number | undefined {
  const isAway =
    isUnavailable(error) ||
    isContended(error) ||
    error instanceof EmbedderUnavailableError ||
    (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')
  const waitedMs = waitingSince ? Date.now() - waitingSince.getTime() : 0
  if (!isAway || waitedMs > OUTAGE_MS_MAX) return undefined
  return Math.min(Math.max(waitedMs, WAIT_MS_MIN), WAIT_MS_MAX)
}
