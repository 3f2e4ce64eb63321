import { describe, expect, test } from 'bun:test'
import { service } from '../../test/support/service.ts'
import { RELATION_TYPES } from './contract.ts'
import { decay, weigh } from './weight.ts'

const DAY_MS = 86_400_000
const now = new Date('2026-01-01T00:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)

describe('the weight of an edge', () => {
  test('grows with independent evidence', () => {
    const one = { memoryId: 'a', confidence: 0.5, statedAt: now }
    expect(weigh('KNOWS', [one], now)).toBeCloseTo(0.5)
    expect(weigh('KNOWS', [one, { ...one, memoryId: 'b' }], now)).toBeCloseTo(0.75)
  })

  test('counts one memory once, with the strongest of what it says', () => {
    const one = { memoryId: 'a', confidence: 0.5, statedAt: now }
    expect(weigh('KNOWS', [one, { ...one, confidence: 0.8 }], now)).toBeCloseTo(0.8)
  })

  test('decays with age, what one likes sooner than where one lives', () => {
    expect(weigh('LIKES', [{ memoryId: 'a', confidence: 0.8, statedAt: daysAgo(365) }], now)).toBeCloseTo(0.4)
    expect(weigh('LIVES_IN', [{ memoryId: 'a', confidence: 0.8, statedAt: daysAgo(1095) }], now)).toBeCloseTo(0.4)
  })

  test('decays in the database as it does here', async () => {
    const { database } = await service()
    const ages = [-1, 0, 1, 100, 1000, 10_000, 700_000, 3_000_000]
    const rows = await database.system(
      tx => tx<{ type: string; days: number; left: number }[]>`
        select type, days, graph.decay(type, make_interval(days => days)) as left
        from jsonb_array_elements_text(${JSON.stringify(RELATION_TYPES)}::text::jsonb) as type,
          lateral (select value::integer as days from jsonb_array_elements_text(${JSON.stringify(ages)}::text::jsonb)) as age`,
    )
    expect(rows).toHaveLength(RELATION_TYPES.length * ages.length)
    for (const { type, days, left } of rows) {
      const known = RELATION_TYPES.find(one => one === type) ?? 'KNOWS'
      expect(left).toBeCloseTo(decay(known, days * DAY_MS), 9)
    }
  })
})
