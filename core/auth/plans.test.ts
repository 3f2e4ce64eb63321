import { describe, expect, test } from 'bun:test'
import { createPlans, PLAN_NAMES } from './plans.ts'

const feature = (name: string, plans: readonly ('free' | 'pro' | 'scale')[]) => ({ name, description: '', plans })

const input = {
  features: [feature('painting', ['pro', 'scale']), feature('glazing', ['scale']), feature('x_kiln', [])],
  quotas: [
    { name: 'cups', limits: { free: 1, pro: 20, scale: 300 } },
    { name: 'bowls', limits: { free: 0, pro: 0, scale: 5 } },
  ],
}

describe('plans', () => {
  test('include the features that name them, and unlimited all there are', () => {
    const { planOf } = createPlans(input)
    const features = PLAN_NAMES.map(plan => [plan, [...planOf(plan).features]])
    expect(features).toEqual([
      ['free', []],
      ['pro', ['painting']],
      ['scale', ['painting', 'glazing']],
      ['unlimited', ['painting', 'glazing', 'x_kiln']],
    ])
  })

  test('include what the operator put into them, and no other plan does', () => {
    const { planOf } = createPlans({
      ...input,
      granted: [
        { plan: 'pro', feature: 'x_kiln' },
        { plan: 'free', feature: 'painting' },
      ],
    })
    expect(PLAN_NAMES.filter(plan => planOf(plan).features.has('x_kiln'))).toEqual(['pro', 'unlimited'])
    expect([...planOf('free').features]).toEqual(['painting'])
  })

  test('limit what manifests say, and unlimited nothing', () => {
    const { planOf } = createPlans(input)
    expect(PLAN_NAMES.map(plan => planOf(plan).quotas)).toEqual([
      { cups: 1, bowls: 0 },
      { cups: 20, bowls: 0 },
      { cups: 300, bowls: 5 },
      { cups: null, bowls: null },
    ])
  })

  test('allow no more than free where nobody knows the plan', () => {
    const { planOf } = createPlans(input)
    expect(planOf('platinum')).toBe(planOf('free'))
    expect(planOf('constructor')).toBe(planOf('free'))
  })
})
