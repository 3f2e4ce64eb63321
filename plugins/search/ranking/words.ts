import { Type } from '@sinclair/typebox'
import type { Candidate, CorpusStatistics } from '../engine/engine.ts'
import { inverseDocumentFrequency, RELATED_SHARE, termWeights } from '../engine/terms.ts'
import { bestCosine } from './meaning.ts'
import type { Signal } from './signal.ts'

/**
 * BM25 in standard deviations from the mean of the candidates, so that it does not grow with the length of query and text. In keyword mode, where
 * every candidate contains all terms, it is divided by the score of a text that contains each term once.
 */
export const words: Signal = {
  id: 'words',
  weight: 0.08,
  keyword: 1.5,
  isByWords: true,
  // Where nothing is close in meaning the cosines differ little, and words with their full weight would drown them.
  scale: bestCosine,
  neutral: 0,
  of({ mode, terms, related = [], corpus, candidates }) {
    if (terms.length + related.length === 0) return () => 0
    const raw = new Map(
      candidates.map(one => [one, bm25(one, terms, corpus) + RELATED_SHARE * bestOf(one, related, corpus)]),
    )
    const scale =
      mode === 'keyword' ? inUnitsOf(bm25OfAllTerms(terms, corpus)) : standardized([...raw.values()], terms, corpus)
    return candidate => scale(raw.get(candidate) ?? 0)
  },
  explain: Type.Number({ description: 'BM25, in standard deviations from the mean of the candidates.' }),
}

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
function bm25OfAllTerms(terms: readonly string[], corpus: CorpusStatistics): number {
  return termWeights(terms, corpus).reduce((sum, weight) => sum + weight, 0)
}

function bestOf(candidate: Candidate, related: readonly string[], corpus: CorpusStatistics): number {
  return related.reduce((best, term) => Math.max(best, bm25(candidate, [term], corpus)), 0)
}

function inUnitsOf(unit: number): (score: number) => number {
  return score => (unit > 0 ? score / unit : 0)
}

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
