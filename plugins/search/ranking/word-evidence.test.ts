import { describe, expect, test } from 'bun:test'
import { CORPUS } from './candidates.test-support.ts'
import { standardized } from './word-evidence.ts'

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
