import { DAY_MS } from 'mneme/plugin'

/** A memory of this age counts half as recent as one of now. */
const HALF_LIFE_MS = 30 * DAY_MS

/** Returns 1 for a memory of this moment, halved every 30 days: exponential decay, as in forgetting curves. */
export function recency(createdAt: Date, now: Date): number {
  const ageMs = Math.max(0, now.getTime() - createdAt.getTime())
  return 2 ** (-ageMs / HALF_LIFE_MS)
}
