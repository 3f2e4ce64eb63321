const MINUTE_MS = 60_000

/** Waits after the first to the fourth failed attempt; with the fifth a delivery has failed. */
const DELAYS_MS = [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, 360 * MINUTE_MS]

/** Each wait is varied by up to this share, so that deliveries that failed together do not come back together. */
const JITTER = 0.2

/**
 * When a delivery is attempted again.
 * @param failedAttempts how many failed, from 1
 * @param random from 0 up to 1
 * @returns undefined when that was the last one
 */
export function nextAttemptAt(failedAttempts: number, failedAt: Date, random: number): Date | undefined {
  const delayMs = DELAYS_MS[failedAttempts - 1]
  if (delayMs === undefined) return undefined
  return new Date(failedAt.getTime() + Math.round(delayMs * (1 + JITTER * (2 * random - 1))))
}
