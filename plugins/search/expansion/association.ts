/** The numbers of documents in which two words occur. */
export interface Occurrences {
  /** The documents that contain both. */
  readonly together: number
  readonly first: number
  readonly second: number
  /** The number of all documents. */
  readonly documents: number
}

/**
 * Measures how surely two words occur together more often than by chance: the log-likelihood ratio (Dunning, "Accurate Methods for the
 * Statistics of Surprise and Coincidence", 1993), which is valid for rare words too. 0 when they occur together no more often than by
 * chance; chance exceeds 10.83 once in a thousand.
 */
export function logLikelihoodRatio({ together, first, second, documents }: Occurrences): number {
  if (together * documents <= first * second) return 0
  const onlyFirst = Math.max(0, first - together)
  const onlySecond = Math.max(0, second - together)
  const neither = Math.max(0, documents - together - onlyFirst - onlySecond)
  const cells = entropy(together, onlyFirst, onlySecond, neither)
  return 2 * (cells - entropy(first, documents - first) - entropy(second, documents - second) + entropy(documents))
}

/** The ratio is a sum of terms n ln n (the same paper, section 6). */
function entropy(...counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + (count > 0 ? count * Math.log(count) : 0), 0)
}

/**
 * Weighs a word that `together` of the best results share against its frequency in all documents: the Bose-Einstein weighting of
 * pseudo-relevance feedback (Amati, "Probabilistic Models for Information Retrieval based on Divergence from Randomness", 2003, Bo1), with
 * documents in place of occurrences, so that long texts have no advantage.
 */
export function sharedWeight(together: number, documentFrequency: number, documents: number): number {
  const expected = documentFrequency / Math.max(1, documents)
  return expected > 0 ? together * Math.log2((1 + expected) / expected) + Math.log2(1 + expected) : 0
}
