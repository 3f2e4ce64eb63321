/** A memory of this age counts half as new as one of now. */
const HALF_LIFE_MS = 30 * 86_400_000

/** 1 for a memory of this moment, falling by half every 30 days: exponential decay, as forgetting curves have it. */
export function recency(createdAt: Date, now: Date): number {
  const ageMs = Math.max(0, now.getTime() - createdAt.getTime())
  return 2 ** (-ageMs / HALF_LIFE_MS)
}
