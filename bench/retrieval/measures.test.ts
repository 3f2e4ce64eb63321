import { describe, expect, test } from 'bun:test'
import { mean, measure, percentile } from './measures.ts'

describe('measure', () => {
  test('counts the share of the evidence by depth, and the first rank', () => {
    const found = ['x', 'a', 'x', 'x', 'x', 'b', ...Array(10).fill('x'), 'c']
    expect(measure(found, ['a', 'b', 'c', 'd'])).toEqual({
      recall5: 0.25,
      recall10: 0.5,
      recall20: 0.75,
      reciprocalRank: 0.5,
    })
  })

  test('nothing found is zero throughout', () => {
    expect(measure([], ['a'])).toEqual({ recall5: 0, recall10: 0, recall20: 0, reciprocalRank: 0 })
  })

  test('a mean weighs every question alike', () => {
    const [all, none] = [measure(['a'], ['a']), measure(['b'], ['a'])]
    expect(mean([all, none]).recall5).toBe(0.5)
    expect(percentile([3, 1, 2], 0.5)).toBe(2)
  })
})
