import { describe, expect, test } from 'bun:test'
import { planQuery } from './plan.ts'

describe('planQuery', () => {
  test('drops function words unless there are no others', () => {
    expect(planQuery({ query: 'What is the weather', mode: 'hybrid' })).toMatchObject({
      terms: ['weather'],
      clauses: [[['weather']]],
    })
    expect(planQuery({ query: 'who are you', mode: 'hybrid' }).terms.length).toBeGreaterThan(0)
  })

  test('omits exclusions from the text to embed', () => {
    expect(planQuery({ query: 'fresh fruit -apples', mode: 'hybrid' }).meaning).toBe('fresh fruit')
    expect(planQuery({ query: 'fresh "red apples"', mode: 'semantic' }).meaning).toBe('fresh "red apples"')
    expect(planQuery({ query: 'fresh fruit', mode: 'keyword' }).meaning).toBeUndefined()
  })

  test('matches exclusions alone by words in every mode', () => {
    expect(planQuery({ query: '-apples', mode: 'hybrid' })).toMatchObject({ match: 'all', meaning: undefined })
  })

  test('leaves a query without words to its meaning', () => {
    expect(planQuery({ query: '???', mode: 'hybrid' })).toMatchObject({ match: 'any', terms: [], meaning: '???' })
  })
})
