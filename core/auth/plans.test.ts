import { describe, expect, test } from 'bun:test'
import { planOf } from './plans.ts'

const FEATURES = ['hasKnowledgeGraph', 'ingest', 'webhooks', 'exports', 'templates']

describe('plans', () => {
  test.each([
    ['free', []],
    ['pro', ['hasKnowledgeGraph', 'ingest', 'webhooks', 'templates']],
    ['scale', FEATURES],
    ['unlimited', FEATURES],
  ])('%s has the features %j', (plan, features) => {
    expect(FEATURES.filter(feature => planOf(plan).features.has(feature))).toEqual(features)
    expect([...planOf(plan).features]).toEqual(features)
  })

  test("only unlimited has a third party's feature", () => {
    const having = ['free', 'pro', 'scale', 'unlimited'].filter(plan => planOf(plan).features.has('hasWeather'))
    expect(having).toEqual(['unlimited'])
  })

  test.each([
    ['free', 10_000, 100_000, 5_000_000, 2],
    ['pro', 250_000, 2_000_000, 100_000_000, 10],
    ['scale', 5_000_000, 50_000_000, 2_000_000_000, 100],
    ['unlimited', null, null, null, null],
  ])('the quotas of %s', (plan, memories, requests, tokens, webhooks) => {
    expect(planOf(plan).quotas).toEqual({ memories, requests, tokens, webhooks })
  })

  test('a plan nobody knows allows no more than free', () => {
    expect(planOf('platinum')).toEqual(planOf('free'))
    expect(planOf('constructor')).toEqual(planOf('free'))
  })
})
