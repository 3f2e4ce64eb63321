import { Type } from '@sinclair/typebox'
import type { Candidate, CorpusStatistics } from '../engine/engine.ts'
import { termWeights } from '../engine/terms.ts'
import type { Signal } from './signal.ts'

/** The share of the query's terms, squared because a single common term may be an accident and all of them are not. */
export const coverage: Signal = {
  id: 'coverage',
  weight: 0.4,
  isByWords: true,
  neutral: 0,
  of:
    ({ terms, corpus }) =>
    candidate =>
      shareOfTerms(candidate, terms, corpus) ** 2,
  explain: Type.Number({ description: "Share of the query's terms that it contains, by weight and squared." }),
}

/**
 * Computes the share of the query's terms that a candidate contains, weighted by inverse document frequency, from 0 to 1. Of two texts with
 * the same BM25 the one that repeats a single term says less about the query (the coordination factor of the vector space model, weighted).
 */
export function shareOfTerms(
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
