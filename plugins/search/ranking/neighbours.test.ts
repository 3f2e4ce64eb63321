import { describe, expect, test } from 'bun:test'
import { candidate } from './candidates.test-support.ts'
import { neighboursOf } from './neighbours.ts'

const turn = (memoryId: string, sessionPosition: number, fields = {}) =>
  candidate(memoryId, { sessionId: 's', sessionPosition, ...fields })

describe('neighboursOf', () => {
  test('gives nearer and earlier neighbours more weight', () => {
    const around = neighboursOf([0, 1, 2, 3, 4, 5, 6, 7].map(place => turn(`t${place}`, place))).get('t4') ?? []
    const weights = new Map(around.map(({ distance, weight }) => [distance, weight]))
    const at = (distance: number) => weights.get(distance) ?? 0
    expect(at(-1)).toBeGreaterThan(at(-2))
    expect(at(1)).toBeGreaterThan(at(2))
    expect(at(-1)).toBeGreaterThan(at(1))
    expect(weights.has(0)).toBe(false)
  })

  test('lets a reply support the text before it the more, the longer it is in comparison', () => {
    const support = (length: number) =>
      neighboursOf([turn('asked', 0, { length: 20 }), turn('reply', 1, { length })]).get('asked')?.[0]?.weight ?? 0
    expect(support(5)).toBe(support(20))
    expect(support(40)).toBe(support(20))
    expect(support(60)).toBeGreaterThan(support(20))
    expect(support(600)).toBeGreaterThan(support(60))
    expect(support(1_000_000)).toBeLessThan(1)
  })

  test('counts a gap as distance', () => {
    const around = neighboursOf([turn('a', 0), turn('b', 2), turn('far', 9)]).get('a')
    expect(around?.map(({ memoryId, distance }) => [memoryId, distance])).toEqual([['b', 2]])
  })

  test('finds none across sessions, users, or without a session', () => {
    const neighbours = neighboursOf([
      turn('a', 0),
      turn('other session', 1, { sessionId: 't' }),
      turn('other user', 1, { userId: 'bob' }),
      candidate('none', { sessionPosition: 1 }),
    ])
    expect(neighbours.size).toBe(0)
  })

  test('two memories at one place do not hide those around them', () => {
    const around = neighboursOf([turn('a', 0), turn('b', 1), turn('b2', 1), turn('c', 2)])
    expect(around.get('b')?.map(({ memoryId }) => memoryId)).toEqual(['a', 'c'])
    expect(around.get('b2')?.map(({ memoryId }) => memoryId)).toEqual(['a', 'c'])
  })
})
