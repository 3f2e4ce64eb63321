import type { Candidate, CorpusStatistics } from '../engine/engine.ts'
import { inverseDocumentFrequency, termWeights } from '../engine/term-weight.ts'

/**
 * Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, equation 3.15), with the inverse
 * document frequency of Lucene, which is never negative, and the constants of Anserini (Yang, Fang and Lin, "Anserini: Reproducible Ranking
 * Baselines Using Lucene", 2018): memories are short, so length carries little information.
 */
const K1 = 0.9
const B = 0.4

/** Returns the share of a term's weight that `frequency` occurrences earn in a text of this length; it stays below k1 + 1. */
export function termSaturation(frequency: number, length: number, averageLength: number): number {
  const relativeLength = averageLength > 0 ? length / averageLength : 1
  return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * relativeLength))
}

/** Computes the BM25 score of a candidate for the query's terms. */
export function bm25(
  { positions, length }: Pick<Candidate, 'positions' | 'length'>,
  terms: readonly string[],
  { documents, averageLength, documentFrequency }: CorpusStatistics,
): number {
  let score = 0
  for (const term of terms) {
    const frequency = positions.get(term)?.length ?? 0
    if (frequency === 0) continue
    const weight = inverseDocumentFrequency(documentFrequency.get(term) ?? 0, documents)
    score += weight * termSaturation(frequency, length, averageLength)
  }
  return score
}

/** Returns the maximum of BM25 for one term of this corpus: one that occurs in a single document, many times. */
export function bm25TermMax({ documents }: CorpusStatistics): number {
  return inverseDocumentFrequency(1, Math.max(1, documents)) * (K1 + 1)
}

/** Returns the score of a text of average length that contains every term once. */
export function bm25OfAllTerms(terms: readonly string[], corpus: CorpusStatistics): number {
  return termWeights(terms, corpus).reduce((sum, weight) => sum + weight, 0)
}
