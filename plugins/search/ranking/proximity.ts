import { Type } from '@sinclair/typebox'
import type { Candidate, CorpusStatistics } from '../engine/engine.ts'
import { termWeights } from '../engine/terms.ts'
import type { Signal } from './signal.ts'
import { bm25TermMax } from './words.ts'

export const proximity: Signal = {
  id: 'proximity',
  weight: 0.4,
  keyword: 0.4,
  isByWords: true,
  neutral: 0,
  of:
    ({ terms, corpus }) =>
    candidate =>
      closeness(candidate, terms, corpus),
  explain: Type.Number({ description: 'How close together it contains them.' }),
}

/** Terms further apart than this are unrelated. */
const DISTANCE_MAX = 10

/**
 * Measures how close a candidate has terms that are adjacent in the query: for each such pair the weight of the commoner term over the
 * distance, in units of the maximum for a single term. A phrase counts in full. The idea is that of the sequential dependence model
 * (Metzler and Croft, "A Markov Random Field Model for Term Dependencies", 2005).
 */
export function closeness(
  { positions }: Pick<Candidate, 'positions'>,
  terms: readonly string[],
  corpus: CorpusStatistics,
): number {
  const weights = termWeights(terms, corpus)
  let sum = 0
  let before: readonly number[] | undefined
  for (const [index, term] of terms.entries()) {
    const places = positions.get(term)
    const distance = before && places ? nearest(before, places) : Number.POSITIVE_INFINITY
    if (distance <= DISTANCE_MAX) sum += Math.min(weights[index - 1] ?? 0, weights[index] ?? 0) / distance
    before = places
  }
  return sum / bm25TermMax(corpus)
}

/** Returns the least distance between positions of two ascending lists. */
function nearest(a: readonly number[], b: readonly number[]): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const gap = (a[i] ?? 0) - (b[j] ?? 0)
    // Two terms of one word share a position.
    best = Math.min(best, Math.max(1, Math.abs(gap)))
    if (gap < 0) i++
    else j++
  }
  return best
}
