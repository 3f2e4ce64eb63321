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

  test.each(['hybrid', 'semantic'] as const)('takes a hyphen before a word as text in %s mode', mode => {
    const plan = planQuery({ query: 'the command ls -la', mode })
    expect(plan).toMatchObject({
      mode,
      match: 'any',
      terms: ['command', 'ls', 'la', '-la'],
      meaning: 'the command ls -la',
    })
    expect(planQuery({ query: '-40', mode })).toMatchObject({ match: 'any', terms: ['40', '-40'], meaning: '-40' })
  })

  test('takes it as an exclusion in keyword mode, in which nothing is embedded', () => {
    const plan = planQuery({ query: 'fresh fruit -apples', mode: 'keyword' })
    expect(plan).toMatchObject({ match: 'all', terms: ['fresh', 'fruit'], meaning: undefined })
    expect(plan.query.clauses.map(({ excluded }) => excluded)).toEqual([false, false, true])
  })

  test('keeps the function words of a quotation only where it has no others', () => {
    expect(planQuery({ query: 'read "The Lord of the Rings"', mode: 'hybrid' }).terms).toEqual(['read', 'lord', 'ring'])
    expect(planQuery({ query: 'albums by "The Who"', mode: 'hybrid' }).terms).toEqual(['album', 'the', 'who'])
  })

  test('takes a bounded number of terms from the whole of a long query without spaces', () => {
    const letters = Array.from({ length: 1_000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')
    const { terms } = planQuery({ query: letters, mode: 'hybrid' })
    expect(terms).toHaveLength(256)
    expect(terms[0]).toBe(letters.slice(0, 2))
    expect(letters.indexOf(terms.at(-1) ?? '')).toBeGreaterThan(990)
    const words = Array.from({ length: 160 }, (_, i) => `zq${String.fromCharCode(97 + (i % 26), 97 + i / 26)}x`)
    expect(planQuery({ query: words.join(' '), mode: 'hybrid' }).terms).toEqual(words)
    expect(planQuery({ query: '北京大学', mode: 'hybrid' }).terms).toEqual([
      '北',
      '北京',
      '京',
      '京大',
      '大',
      '大学',
      '学',
    ])
  })

  test('leaves a query without words to its meaning', () => {
    expect(planQuery({ query: '???', mode: 'hybrid' })).toMatchObject({ match: 'any', terms: [], meaning: '???' })
  })
})
