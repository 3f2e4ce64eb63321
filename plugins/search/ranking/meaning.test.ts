import { describe, expect, test } from 'bun:test'
import type { NearPassage } from '../engine/engine.ts'
import { candidate, context } from './candidates.test-support.ts'
import { cosineOf, passageCosine } from './meaning.ts'
import { rank } from './rank.ts'

const passage = (cosine: number, passages: number): NearPassage => ({ cosine, passages, start: 0, end: 500 })

describe('the meaning of a long text', () => {
  test('is that of the whole or of its best passage, whichever is nearer', () => {
    const passages = new Map([['long', passage(0.7, 16)]])
    expect(cosineOf(candidate('long', { cosine: 0.3 }), passages)).toBe(passageCosine(passage(0.7, 16)))
    expect(cosineOf(candidate('long', { cosine: 0.69 }), passages)).toBe(0.69)
    expect(cosineOf(candidate('short', { cosine: 0.3 }), passages)).toBe(0.3)
    expect(cosineOf(candidate('short'), passages)).toBeNull()
  })

  test('does not grow with the number of passages that differ by chance', () => {
    const random = normalValues()
    const means = [5, 16, 64].map(count => {
      let sum = 0
      for (let text = 0; text < 2000; text++) {
        const cosines = Array.from({ length: count }, () => 0.3 + 0.05 * random())
        sum += passageCosine(passage(Math.max(...cosines), count))
      }
      return sum / 2000
    })
    for (const mean of means) expect(Math.abs(mean - 0.3)).toBeLessThan(0.01)
  })

  test('a detail lifts it above texts that are less near, and not above a short text with the same cosine', () => {
    const texts = [
      candidate('long', { cosine: 0.25 }),
      candidate('less near', { cosine: 0.45 }),
      candidate('exact', { cosine: 0.7 }),
    ]
    const passages = new Map([['long', passage(0.7, 16)]])
    const order = rank(texts, context({ mode: 'semantic', passages })).map(({ candidate }) => candidate.memoryId)
    expect(order).toEqual(['exact', 'long', 'less near'])
  })
})

/** Returns a generator of values with a standard normal distribution, the same ones every time. */
function normalValues(): () => number {
  let state = 1
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}
