import { describe, expect, test } from 'bun:test'
import { candidate, context } from './candidates.test-support.ts'
import { rank, recompute } from './rank.ts'
import type { RankingContext } from './signal.ts'
import { DEFAULT_BALANCE } from './signals.ts'

const berlin = candidate('berlin', { cosine: 0.8 })
const lyon = candidate('lyon', { cosine: 0.6 })
const porto = candidate('porto', { cosine: 0.3 })
const ended = new Map([['berlin', ['porto']]])

const ranked = (fields: Partial<RankingContext> = {}) => rank([berlin, lyon, porto], context({ ended, ...fields }))
const order = (fields?: Partial<RankingContext>) => ranked(fields).map(one => one.candidate.memoryId)

describe('what holds no more', () => {
  test('comes after what took its place, which answers the query as well as it did', () => {
    expect(order({ ended: new Map() })).toEqual(['berlin', 'lyon', 'porto'])
    expect(order()).toEqual(['porto', 'lyon', 'berlin'])
    const [first, , last] = ranked()
    const { evidence, weights } = last?.parts ?? {}
    // Without words in common, a text is weighed by its meaning alone.
    expect(first?.parts.replaces).toEqual({
      memoryId: 'berlin',
      evidence: (evidence?.meaning ?? 0) * (weights?.meaning ?? 0) + (evidence?.words ?? 0) * (weights?.words ?? 0),
    })
  })

  test('is lower where nothing is known to have taken its place, and is still found', () => {
    const [last] = ranked({ ended: new Map([['berlin', []]]) }).slice(-1)
    expect([last?.candidate.memoryId, last?.parts.factors.validity]).toEqual(['porto', 1])
    expect(order({ ended: new Map([['berlin', []]]) })).toEqual(['lyon', 'berlin', 'porto'])
  })

  test('lends the evidence of the best match of several that one memory replaced', () => {
    const [first] = ranked({ ended: new Map([['lyon', ['porto']], ['berlin', ['porto']]]) }) // biome-ignore format: a row
    expect([first?.candidate.memoryId, first?.parts.replaces?.memoryId]).toEqual(['porto', 'berlin'])
  })

  test('is a part of the score, and none in keyword mode or where the signal is switched off', () => {
    for (const one of ranked()) expect(recompute(one.parts, DEFAULT_BALANCE)).toBe(one.score)
    const neutral = (fields: Partial<RankingContext>) =>
      ranked(fields).every(({ parts }) => parts.replaces === null && parts.factors.validity === 1)
    expect([neutral({ mode: 'keyword' }), neutral({ without: new Set(['validity']) }), neutral({})]).toEqual([
      true,
      true,
      false,
    ])
  })
})
