import { describe, expect, test } from 'bun:test'
import { logLikelihoodRatio, sharedWeight } from './association.ts'

/** The ratio as its definition has it: twice the sum of observed · ln(observed / expected) over the four cells. */
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

describe('how surely words belong together', () => {
  test('is the log-likelihood ratio of its definition', () => {
    for (const [together, first, second, documents] of [
      [2, 2, 2, 100],
      [5, 10, 20, 1000],
      [3, 40, 4, 500],
    ] as const) {
      const ratio = logLikelihoodRatio({ together, first, second, documents })
      expect(ratio).toBeCloseTo(byDefinition(together, first, second, documents), 8)
    }
  })

  test('is nothing for words that meet by chance, or less often', () => {
    expect(logLikelihoodRatio({ together: 5, first: 50, second: 100, documents: 1000 })).toBe(0)
    expect(logLikelihoodRatio({ together: 1, first: 50, second: 100, documents: 1000 })).toBe(0)
  })

  test('grows with each text they share', () => {
    const ratios = [2, 3, 4, 5].map(together => logLikelihoodRatio({ together, first: 6, second: 8, documents: 1000 }))
    expect([...ratios].sort((a, b) => a - b)).toEqual(ratios)
  })

  test('stands numbers that do not fit together, as those of a moment ago', () => {
    for (const numbers of [
      { together: 3, first: 2, second: 1, documents: 4 },
      { together: 2, first: 2, second: 2, documents: 0 },
      { together: 2, first: 2, second: 5, documents: 2 },
    ]) {
      expect(Number.isFinite(logLikelihoodRatio(numbers))).toBe(true)
    }
  })
})

test('what best results share tells more when more share it and when few other texts hold it', () => {
  expect(sharedWeight(3, 10, 1000)).toBeGreaterThan(sharedWeight(2, 10, 1000))
  expect(sharedWeight(2, 5, 1000)).toBeGreaterThan(sharedWeight(2, 50, 1000))
  expect(sharedWeight(2, 0, 0)).toBe(0)
})
