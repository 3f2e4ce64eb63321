import { expect, test } from 'bun:test'
import { compare, judge } from './comparison.ts'

test('a figure is compared with the one before and judged by its target', () => {
  expect(compare(120, 100)).toEqual({ current: 120, previous_period: 100, delta_pct: 20, direction: 'UP' })
  expect(compare(0.71, 0.74)).toMatchObject({ delta_pct: -4.05, direction: 'DOWN' })
  expect(compare(5, 0)).toMatchObject({ delta_pct: null, direction: 'UP' })
  expect(compare(0, 0)).toMatchObject({ delta_pct: null, direction: 'UP' })
  expect([90, 89, 70, 69].map(current => judge(current, 0, 100).status)).toEqual([
    'OK',
    'WARNING',
    'WARNING',
    'CRITICAL',
  ])
  expect(judge(1, 0, null)).toMatchObject({ target: null, status: 'OK' })
})

test('a figure that nothing was measured for is neither compared nor judged', () => {
  expect(judge(null, 0.74, 0.7)).toEqual({
    current: 0,
    previous_period: 0.74,
    delta_pct: null,
    direction: 'DOWN',
    target: 0.7,
    status: 'OK',
  })
})
