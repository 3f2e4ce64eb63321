import { Type } from '@sinclair/typebox'
import { DAY_MS } from 'mneme/plugin'
import type { Signal } from './signal.ts'

/** The age of a memory; its weight is that until a better balance is learned. */
export const recency: Signal = {
  id: 'recency',
  weight: 0.08,
  keyword: 0.08,
  neutral: 0,
  of:
    ({ now }) =>
    ({ statedAt }) =>
      freshness(statedAt, now),
  explain: Type.Number({ minimum: 0, maximum: 1, description: '1 when new, halved every 30 days.' }),
}

/** A memory of this age counts half as recent as one of now. */
const HALF_LIFE_MS = 30 * DAY_MS

/** Returns 1 for a memory of this moment, halved every 30 days: exponential decay, as in forgetting curves. */
function freshness(statedAt: Date, now: Date): number {
  const ageMs = Math.max(0, now.getTime() - statedAt.getTime())
  return 2 ** (-ageMs / HALF_LIFE_MS)
}
