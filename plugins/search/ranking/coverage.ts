import type { Candidate, CorpusStatistics } from '../engine/engine.ts'
import { termWeights } from '../engine/term-weight.ts'

/**
 * Computes the share of the query's terms that a candidate contains, weighted by inverse document frequency, from 0 to 1. Of two texts with
 * the same BM25 the one that repeats a single term says less about the query (the coordination factor of the vector space model, weighted).
 */
export function coverage(
  { positions }: Pick<Candidate, 'positions'>,
  terms: readonly string[],
  corpus: CorpusStatistics,
): number {
  let held = 0
  let all = 0
  for (const [index, weight] of termWeights(terms, corpus).entries()) {
    all += weight
    if (positions.has(terms[index] ?? '')) held += weight
  }
  return all === 0 ? 0 : held / all
}
