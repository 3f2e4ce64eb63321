import { describe, expect, test } from 'bun:test'
import { mean, measure, percentile, ranksOf } from './evaluate.ts'

describe('measure', () => {
  test('computes recall by depth, and the first rank', () => {
    const found = ['x', 'a', 'x', 'x', 'x', 'b', ...Array(10).fill('x'), 'c']
    expect(measure(ranksOf(found, ['a', 'b', 'c', 'd']))).toEqual({
      recall5: 0.25,
      recall10: 0.5,
      recall20: 0.75,
      hit10: 1,
      reciprocalRank: 0.5,
    })
  })

  test('is zero throughout for no results', () => {
    const nothing = { recall5: 0, recall10: 0, recall20: 0, hit10: 0, reciprocalRank: 0 }
    expect(measure(ranksOf([], ['a']))).toEqual(nothing)
    expect(measure([])).toEqual(nothing)
  })

  test('counts a repeated expectation once', () => {
    expect(measure(ranksOf(['a'], ['a', 'a', 'b'])).recall5).toBe(0.5)
  })

  test('averages questions with equal weight', () => {
    expect(mean([measure([1]), measure([null])]).recall5).toBe(0.5)
    expect(percentile([3, 1, 2], 0.5)).toBe(2)
    expect(percentile([], 0.5)).toBe(0)
  })
})
