import type { Relevance } from '../../memories/contract.ts'

/** Results from this score on are highly relevant. */
export const HIGH_FROM = 0.66
const MEDIUM_FROM = 0.33

export function relevanceOf(score: number): Relevance {
  if (score >= HIGH_FROM) return 'HIGH'
  return score >= MEDIUM_FROM ? 'MEDIUM' : 'LOW'
}
