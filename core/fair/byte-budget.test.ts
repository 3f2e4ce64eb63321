import { describe, expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { flood } from '../../test/transfers/flood.ts'
import { MB } from '../http/sizes.ts'
import { ByteBudget, measureBudget } from './byte-budget.ts'

describe('a budget of bytes', () => {
  test('gives one holder less than a third of it, and the next one a third of the rest', () => {
    const budget = new ByteBudget(192 * MB)
    expect(flood(budget, 'one', 8 * MB)).toBe(56 * MB)
    expect(budget.refused).toBe(1)
    expect(flood(budget, 'two', 8 * MB)).toBe(40 * MB)
  })

  test('has room for a usual body when twenty flood it', () => {
    const budget = new ByteBudget(192 * MB)
    for (let n = 0; n < 20; n++) for (const bytes of [16 * MB, MB, 1000]) flood(budget, `flood ${n}`, bytes)
    expect(budget.used).toBeLessThan(192 * MB)
    expect(budget.reserve('victim', MB)).toBe(true)
  })

  test('takes back what a holder had, and remembers none that has nothing', () => {
    const budget = new ByteBudget(100 * MB)
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

test('metrics show what is used of a budget', async () => {
  const registry = new Registry()
  const budget = new ByteBudget(4 * MB)
  measureBudget(registry, 'test', budget, { used: 'Used.', limit: 'Limit.', refused: 'Refused.' })
  budget.take('a', 3 * MB)
  budget.reserve('a', MB)
  const lines = (await registry.metrics()).split('\n')
  for (const line of [`test_bytes ${3 * MB}`, `test_bytes_limit ${4 * MB}`, 'test_refused_total 1'])
    expect(lines).toContain(line)
})
