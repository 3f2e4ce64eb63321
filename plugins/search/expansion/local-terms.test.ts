import { describe, expect, test } from 'bun:test'
import { logLikelihoodRatio, sharedWeight } from './expansion.ts'

/** Computes the ratio from its definition: twice the sum of observed · ln(observed / expected) over the four cells. */
function byDefinition(together: number, first: number, second: number, documents: number): number {
  const cells = [
    [together, first, second],
    [first - together, first, documents - second],
    [second - together, documents - first, second],
    [documents - first - second + together, documents - first, documents - second],
  ] as const
  return cells.reduce(
    (sum, [seen, row, column]) => sum + (seen > 0 ? 2 * seen * Math.log((seen * documents) / (row * column)) : 0),
    0,
  )
}

describe('the association of words', () => {
  test('equals the log-likelihood ratio by its definition', () => {
    for (const [together, first, second, documents] of [
      [2, 2, 2, 100],
      [5, 10, 20, 1000],
      [3, 40, 4, 500],
    ] as const) {
      const ratio = logLikelihoodRatio({ together, first, second, documents })
      expect(ratio).toBeCloseTo(byDefinition(together, first, second, documents), 8)
    }
  })

  test('is 0 for words that occur together by chance, or less often', () => {
    expect(logLikelihoodRatio({ together: 5, first: 50, second: 100, documents: 1000 })).toBe(0)
    expect(logLikelihoodRatio({ together: 1, first: 50, second: 100, documents: 1000 })).toBe(0)
  })

  test('grows with each common text', () => {
    const ratios = [2, 3, 4, 5].map(together => logLikelihoodRatio({ together, first: 6, second: 8, documents: 1000 }))
    expect([...ratios].sort((a, b) => a - b)).toEqual(ratios)
  })

  test('tolerates inconsistent counts, such as slightly stale ones', () => {
    for (const numbers of [
      { together: 3, first: 2, second: 1, documents: 4 },
      { together: 2, first: 2, second: 2, documents: 0 },
      { together: 2, first: 2, second: 5, documents: 2 },
    ]) {
      expect(Number.isFinite(logLikelihoodRatio(numbers))).toBe(true)
    }
  })
})

test('a shared word weighs more if more results share it and fewer other texts contain it', () => {
  expect(sharedWeight(3, 10, 1000)).toBeGreaterThan(sharedWeight(2, 10, 1000))
  expect(sharedWeight(2, 5, 1000)).toBeGreaterThan(sharedWeight(2, 50, 1000))
  expect(sharedWeight(2, 0, 0)).toBe(0)
})
