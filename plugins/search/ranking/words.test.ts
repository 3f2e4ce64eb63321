import { describe, expect, test } from 'bun:test'
import type { CorpusStatistics } from '../engine/engine.ts'
import { inverseDocumentFrequency } from '../engine/terms.ts'
import { CORPUS } from './candidates.test-support.ts'
import { bm25, bm25TermMax, standardized, termSaturation } from './words.ts'

const corpus: CorpusStatistics = {
  documents: 100,
  averageLength: 10,
  hasPassages: false,
  documentFrequency: new Map([
    ['rare', 1],
    ['common', 60],
  ]),
}
const candidate = (length: number, counts: Record<string, number>) => ({
  length,
  positions: new Map(Object.entries(counts).map(([term, n]) => [term, Array.from({ length: n }, (_, i) => i + 1)])),
})

describe('BM25', () => {
  test('equals the value computed by hand', () => {
    // idf = ln(1 + 99.5 / 1.5); tf = 2 · 1.9 / (2 + 0.9 · (0.6 + 0.4 · 2))
    const expected = Math.log(1 + 99.5 / 1.5) * ((2 * 1.9) / (2 + 0.9 * 1.4))
    expect(bm25(candidate(20, { rare: 2 }), ['rare', 'absent'], corpus)).toBeCloseTo(expected, 12)
  })

  test('a rarer term weighs more, and no weight is negative', () => {
    expect(inverseDocumentFrequency(1, 100)).toBeGreaterThan(inverseDocumentFrequency(60, 100))
    expect(inverseDocumentFrequency(100, 100)).toBeGreaterThan(0)
    // Counts that are read a moment apart can disagree.
    expect(inverseDocumentFrequency(7, 5)).toBeGreaterThan(0)
  })

  test('more occurrences score more with diminishing returns, and longer texts score less', () => {
    const [one, two, many] = [1, 2, 1000].map(n => termSaturation(n, 10, 10))
    expect(one).toBe(1)
    expect(two).toBeGreaterThan(one ?? 0)
    expect((many ?? 0) - (two ?? 0)).toBeLessThan(1.2)
    expect(many).toBeLessThan(2.2)
    expect(termSaturation(1, 20, 10)).toBeLessThan(1)
  })

  test('one term never exceeds the unit, and an empty corpus causes no division by zero', () => {
    expect(bm25(candidate(1, { rare: 500 }), ['rare'], corpus)).toBeLessThan(bm25TermMax(corpus))
    const empty: CorpusStatistics = { documents: 0, averageLength: 0, documentFrequency: new Map(), hasPassages: false }
    expect(bm25(candidate(3, { rare: 1 }), ['rare'], empty)).toBeFinite()
    expect(bm25TermMax(empty)).toBeGreaterThan(0)
  })
})

const TERMS = ['tea', 'drink']

describe('standardized', () => {
  test('approaches the standard score with many candidates', () => {
    const scores = Array.from({ length: 10_000 }, (_, n) => n % 5)
    expect(standardized(scores, TERMS, CORPUS)(2)).toBeCloseTo(0, 2)
    expect(standardized(scores, TERMS, CORPUS)(4)).toBeCloseTo(2 / Math.sqrt(2), 2)
  })

  test('keeps the order, and means the same when all scores grow alike', () => {
    const scores = Array.from({ length: 1000 }, (_, n) => n % 7)
    const [one, ten] = [1, 10].map(factor =>
      standardized(
        scores.map(score => factor * score),
        TERMS,
        CORPUS,
      )(6 * factor),
    )
    expect(standardized(scores, TERMS, CORPUS)(3)).toBeGreaterThan(standardized(scores, TERMS, CORPUS)(2))
    expect(Math.abs((one ?? 0) - (ten ?? 0))).toBeLessThan(0.05)
  })

  test('is finite for one candidate, none, and an empty corpus', () => {
    const empty = { documents: 0, averageLength: 0, documentFrequency: new Map(), hasPassages: false }
    for (const scores of [[], [5], [5, 5, 5]])
      for (const corpus of [CORPUS, empty]) expect(standardized(scores, TERMS, corpus)(5)).toBeFinite()
    expect(standardized([5], TERMS, CORPUS)(5)).toBeGreaterThan(0)
  })
})
