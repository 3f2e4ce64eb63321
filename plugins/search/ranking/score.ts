/** This evidence gives a score of one half: a paraphrase without common words (cosine about 0.4) is MEDIUM. */
const HALF_EVIDENCE = 0.4

/** Maps evidence (0 and up) to a score from 0 to 1, monotonically and without reaching 1. */
export function scoreOf(evidence: number): number {
  const positive = Math.max(0, evidence)
  return positive / (positive + HALF_EVIDENCE)
}

/** Rounds a score as responses show it. */
export function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000
}
