import { describe, expect, test } from 'bun:test'
import { flood } from '../../test/transfers/flood.ts'
import { SharedByteBudget } from './shared-byte-budget.ts'
import { MB } from './sizes.ts'

describe('a budget of bytes', () => {
  test('gives one holder less than a third of it, and the next one a third of the rest', () => {
    const budget = new SharedByteBudget(192 * MB)
    expect(flood(budget, 'one', 8 * MB)).toBe(56 * MB)
    expect(budget.refused).toBe(1)
    expect(flood(budget, 'two', 8 * MB)).toBe(40 * MB)
  })

  test('has room for a usual body when twenty flood it', () => {
    const budget = new SharedByteBudget(192 * MB)
    for (let n = 0; n < 20; n++) for (const bytes of [16 * MB, MB, 1000]) flood(budget, `flood ${n}`, bytes)
    expect(budget.used).toBeLessThan(192 * MB)
    expect(budget.reserve('victim', MB)).toBe(true)
  })

  test('takes back what a holder had, and remembers none that has nothing', () => {
    const budget = new SharedByteBudget(100 * MB)
    for (let n = 0; n < 1000; n++) {
      expect(budget.reserve(`holder ${n}`, 20 * MB)).toBe(true)
      budget.release(`holder ${n}`, 20 * MB)
    }
    expect([budget.used, budget.refused]).toEqual([0, 0])
    expect(budget.reserve('a', 20 * MB) && budget.reserve('a', 9 * MB)).toBe(true)
    budget.release('a', 20 * MB)
    expect([budget.used, budget.reserve('a', 20 * MB), budget.reserve('a', MB)]).toEqual([9 * MB, true, false])
  })
})
