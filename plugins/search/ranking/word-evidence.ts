import type { CorpusStatistics } from '../engine/engine.ts'
import { inverseDocumentFrequency } from '../engine/term-weight.ts'

/** The expected mean and variance count as much as this many candidates, so that a handful of candidates does not set the scale alone. */
const PRIOR_CANDIDATES = 6
/** BM25 also varies with how often terms occur and with the length of the text; this is the variance from both. */
const PRIOR_VARIANCE = 0.25

/**
 * Returns a function that tells by how many standard deviations a BM25 score lies above the mean of all candidates. BM25 itself grows with
 * the number of query terms and the size of the corpus, so its sum with a cosine would mean something else for every query.
 *
 * Mean and variance are taken of the candidates and of what the document frequencies predict for any text: it contains a term with
 * probability p = df / N, which then adds its weight, so the mean is Σ idf · p and the variance Σ idf² · p · (1 − p).
 */
export function standardized(
  scores: readonly number[],
  terms: readonly string[],
  { documents, documentFrequency }: CorpusStatistics,
): (score: number) => number {
  let expectedMean = 0
  let expectedVariance = PRIOR_VARIANCE
  for (const term of terms) {
    const frequency = documentFrequency.get(term) ?? 0
    const weight = inverseDocumentFrequency(frequency, documents)
    const chance = documents > 0 ? Math.min(1, frequency / documents) : 0
    expectedMean += weight * chance
    expectedVariance += weight ** 2 * chance * (1 - chance)
  }
  const count = scores.length
  const sum = scores.reduce((total, score) => total + score, 0)
  const average = count > 0 ? sum / count : 0
  const squares = scores.reduce((total, score) => total + (score - average) ** 2, 0)
  const mean = (sum + PRIOR_CANDIDATES * expectedMean) / (count + PRIOR_CANDIDATES)
  const deviation = Math.sqrt((squares + PRIOR_CANDIDATES * expectedVariance) / (count + PRIOR_CANDIDATES))
  return score => (score - mean) / deviation
}
