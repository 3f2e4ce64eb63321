import type { CorpusStatistics } from './engine.ts'

/** Computes ln(1 + (N − n + ½) / (n + ½)), the information in a term that occurs in n of N documents. */
export function inverseDocumentFrequency(documentFrequency: number, documents: number): number {
  const n = Math.min(documentFrequency, documents)
  return Math.log(1 + (documents - n + 0.5) / (n + 0.5))
}

/** Returns the weight of each term. A ranking asks for those of the same terms for every candidate. */
export function termWeights(terms: readonly string[], corpus: CorpusStatistics): readonly number[] {
  const known = weightsOf.get(corpus)?.get(terms)
  if (known) return known
  const { documents, documentFrequency } = corpus
  const weights = terms.map(term => inverseDocumentFrequency(documentFrequency.get(term) ?? 0, documents))
  const ofCorpus = weightsOf.get(corpus) ?? new WeakMap()
  weightsOf.set(corpus, ofCorpus.set(terms, weights))
  return weights
}

const weightsOf = new WeakMap<CorpusStatistics, WeakMap<readonly string[], readonly number[]>>()

/**
 * The weight of a word added by expansion relative to a query word. In the ranking only the best added word counts: a text with many of them
 * is seldom more relevant, and many weak words would outweigh the few that were asked for.
 */
export const RELATED_SHARE = 0.2
