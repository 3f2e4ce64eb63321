/** How often two things occur, by documents. */
export interface Occurrences {
  /** Documents that hold both. */
  readonly together: number
  readonly first: number
  readonly second: number
  /** All there are. */
  readonly documents: number
}

/**
 * How surely two words occur together more often than by chance: the log-likelihood ratio (Dunning, "Accurate Methods for the
 * Statistics of Surprise and Coincidence", 1993), which holds for rare words too. 0 when they occur together no more often than
 * by chance; from 10.83 on chance would do it once in a thousand.
 */
export function logLikelihoodRatio({ together, first, second, documents }: Occurrences): number {
  if (together * documents <= first * second) return 0
  const onlyFirst = Math.max(0, first - together)
  const onlySecond = Math.max(0, second - together)
  const neither = Math.max(0, documents - together - onlyFirst - onlySecond)
  const cells = entropy(together, onlyFirst, onlySecond, neither)
  return 2 * (cells - entropy(first, documents - first) - entropy(second, documents - second) + entropy(documents))
}

/** Sum of n ln n, in which the ratio can be written (the same paper, section 6). */
function entropy(...counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + (count > 0 ? count * Math.log(count) : 0), 0)
}

/**
 * How much a word that `together` of the best results share tells of them against all documents: the Bose-Einstein weighting of
 * pseudo-relevance feedback (Amati, "Probabilistic Models for Information Retrieval based on Divergence from Randomness", 2003,
 * Bo1), with documents for occurrences, so that a long text has no more say.
 */
export function sharedWeight(together: number, documentFrequency: number, documents: number): number {
  const expected = documentFrequency / Math.max(1, documents)
  return expected > 0 ? together * Math.log2((1 + expected) / expected) + Math.log2(1 + expected) : 0
}
