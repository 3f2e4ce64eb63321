import { expect, test } from 'bun:test'
import { compare, withTarget } from './comparison.ts'

test('a figure is compared with the one before and judged by its target', () => {
  expect(compare(120, 100)).toEqual({ current: 120, previous_period: 100, delta_pct: 20, direction: 'UP' })
  expect(compare(0.71, 0.74)).toMatchObject({ delta_pct: -4.05, direction: 'DOWN' })
  expect(compare(5, 0)).toMatchObject({ delta_pct: null, direction: 'UP' })
  expect(compare(0, 0)).toMatchObject({ delta_pct: null, direction: 'UP' })
  expect([90, 89, 70, 69].map(current => withTarget(compare(current, 0), 100).status)).toEqual([
    'OK',
    'WARNING',
    'WARNING',
    'CRITICAL',
  ])
  expect(withTarget(compare(1, 0), null)).toMatchObject({ target: null, status: 'OK' })
})
