import { describe, expect, test } from 'bun:test'
import { candidate } from './candidates.test-support.ts'
import { neighboursOf } from './neighbours.ts'

const turn = (memoryId: string, sessionPosition: number, fields = {}) =>
  candidate(memoryId, { sessionId: 's', sessionPosition, ...fields })

describe('neighboursOf', () => {
  test('takes three places in each direction, with more weight for nearer and for earlier ones', () => {
    const around = neighboursOf([0, 1, 2, 3, 4, 5, 6, 7].map(place => turn(`t${place}`, place))).get('t4') ?? []
    const weights = new Map(around.map(({ distance, weight }) => [distance, weight]))
    expect([...weights.keys()].sort((a, b) => a - b)).toEqual([-3, -2, -1, 1, 2, 3])
    for (const distance of [1, 2]) {
      expect(weights.get(-distance)).toBeGreaterThan(weights.get(-distance - 1) ?? 1)
      expect(weights.get(-distance)).toBeGreaterThan(weights.get(distance) ?? 1)
    }
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
