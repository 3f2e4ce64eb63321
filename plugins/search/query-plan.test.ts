import { describe, expect, test } from 'bun:test'
import { planQuery } from './query-plan.ts'

describe('planQuery', () => {
  test('function words neither match nor rank, unless there is nothing else', () => {
    expect(planQuery({ query: 'What is the weather', mode: 'hybrid' })).toMatchObject({
      terms: ['weather'],
      clauses: [[['weather']]],
    })
    expect(planQuery({ query: 'who are you', mode: 'hybrid' }).terms.length).toBeGreaterThan(0)
  })

  test('what is excluded is no part of the meaning', () => {
    expect(planQuery({ query: 'fresh fruit -apples', mode: 'hybrid' }).meaning).toBe('fresh fruit')
    expect(planQuery({ query: 'fresh "red apples"', mode: 'semantic' }).meaning).toBe('fresh "red apples"')
    expect(planQuery({ query: 'fresh fruit', mode: 'keyword' }).meaning).toBeUndefined()
  })

  test('exclusions alone are answered by words, whatever the mode', () => {
    expect(planQuery({ query: '-apples', mode: 'hybrid' })).toMatchObject({ match: 'all', meaning: undefined })
  })

  test('a query without any words is left to its meaning', () => {
    expect(planQuery({ query: '???', mode: 'hybrid' })).toMatchObject({ match: 'any', terms: [], meaning: '???' })
  })
})
