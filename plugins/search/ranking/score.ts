import type { Relevance } from '../../memories/contract.ts'

/** This evidence gives a score of one half: a paraphrase without common words (cosine about 0.4) is MEDIUM. */
const HALF_EVIDENCE = 0.4

/** Below this, evidence counts ever less than itself. */
const LITTLE_EVIDENCE = 0.05

/**
 * Maps a sum of evidence, which may be negative, to one above 0, monotonically and without a step: whatever was found has a place among
 * the results, and the less speaks for it the later. It is the sum itself from `LITTLE_EVIDENCE` on, and a hyperbola below.
 */
export function positiveEvidence(sum: number): number {
  return sum >= LITTLE_EVIDENCE ? sum : LITTLE_EVIDENCE ** 2 / (2 * LITTLE_EVIDENCE - sum)
}

/** Maps evidence above 0 to a score between 0 and 1, monotonically. */
export function scoreOf(evidence: number): number {
  return evidence / (evidence + HALF_EVIDENCE)
}

/** Rounds a score as responses show it. */
export function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000
}

/** Results from this score on are highly relevant. */
export const HIGH_FROM = 0.66
const MEDIUM_FROM = 0.33

export function relevanceOf(score: number): Exclude<Relevance, 'NONE'> {
  if (score >= HIGH_FROM) return 'HIGH'
  return score >= MEDIUM_FROM ? 'MEDIUM' : 'LOW'
}
