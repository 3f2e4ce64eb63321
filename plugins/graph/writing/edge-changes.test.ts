import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { changesOf, type StoredEdge } from './edge-changes.ts'
import type { Period } from './fold-evidence.ts'

const NOW = new Date('2026-03-01')
const ends = { sourceId: randomUUID(), targetId: randomUUID(), type: 'WORKS_AT' } as const
const times = { knownTo: null, validFrom: null, validTo: null }

const period = (knownFrom: Date): Period => ({ ...ends, ...times, knownFrom, evidence: [] })
const stored = (id: string, knownFrom: Date): StoredEdge => ({ ...ends, ...times, id, knownFrom, weight: 0 })
const day = (n: number) => new Date(Date.UTC(2020, 0, n))

describe('periods of one relationship', () => {
  test('keep the edges known since the same instant, then those that are left, the oldest first', () => {
    const edges = [stored('c', day(9)), stored('a', day(1)), stored('b', day(5)), stored('d', day(5))]
    const { written, removed } = changesOf([day(3), day(5), day(7), day(9)].map(period), edges, NOW)
    expect(written.map(({ id, knownFrom }) => [id, knownFrom])).toEqual([
      ['a', day(3)],
      ['d', day(7)],
    ])
    expect(removed).toEqual([])
    expect(changesOf([period(day(5))], edges, NOW).removed.toSorted()).toEqual(['a', 'c', 'd'])
  })

  test('are compared with their edges a few times each, however many there are', () => {
    let looks = 0
    class Counted extends Date {
      override getTime() {
        looks++
        return super.getTime()
      }
    }
    const count = 2000
    const known = Array.from({ length: count }, (_, n) => new Counted(Date.UTC(2020, 0, 1) + n * 3_600_000))
    const periods = known.map(at => period(new Counted(at.valueOf() + 1_800_000)))
    const edges = known.map(at => stored(randomUUID(), at)).toReversed()
    expect(changesOf(periods, edges, NOW).removed).toEqual([])
    expect(looks).toBeLessThan(count * 100)
  })
})
