import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { RelationType } from '../contract.ts'
import type { Evidence } from './evidence.ts'
import { foldEvidence, ONE_AT_A_TIME, type Period, WILDCARD_TARGET } from './fold-evidence.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2024, 0, 1)
const TYPES: RelationType[] = ['LIVES_IN', 'WORKS_AT', 'MARRIED_TO', 'LIKES', 'DISLIKES', 'KNOWS', 'BORN_IN']
const PEOPLE = ['a', 'b', 'c']
const TARGETS = ['t', 'u', 'v', 'w']

/** Memories with a few statements each; days are small numbers, so that many coincide. */
const memories = fc
  .array(
    fc.record({
      day: fc.integer({ min: 0, max: 12 }),
      says: fc.array(
        fc.record({
          type: fc.constantFrom(...TYPES),
          source: fc.constantFrom(...PEOPLE),
          target: fc.constantFrom(...TARGETS, ...PEOPLE),
          closes: fc.boolean(),
          onlyEnds: fc.boolean(),
          unnamed: fc.boolean(),
          isConcurrent: fc.boolean(),
          told: fc.option(fc.integer({ min: -10, max: 12 })),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    { maxLength: 12 },
  )
  .map(list =>
    list.flatMap(({ day, says }, m) =>
      says.map(({ type, source, isConcurrent, told, ...how }, n): Evidence => {
        const closes = how.closes || how.onlyEnds
        const target = how.onlyEnds && how.unnamed ? WILDCARD_TARGET : how.target
        const statedAt = new Date(START + day * DAY_MS)
        const at = told === null || told > day ? null : new Date(START + told * DAY_MS)
        const [sourceId = '', targetId = ''] =
          type === 'MARRIED_TO' || type === 'KNOWS' ? [source, target].sort() : [source, target]
        return {
          id: `${m}-${n}`,
          memoryId: `m${String(m).padStart(2, '0')}`,
          sourceId,
          targetId,
          type,
          confidence: 0.5,
          closes,
          validFrom: closes ? null : at,
          validTo: closes ? at : null,
          statedAt,
          effectiveAt: at,
          isConcurrent: isConcurrent && !how.onlyEnds,
          onlyEnds: how.onlyEnds,
          edgeId: null,
        }
      }),
    ),
  )

const coexist = (_: RelationType, one: string, other: string) => [one, other].sort().join() === 't,u'
const shownOf = (periods: readonly Period[]) =>
  periods.map(({ evidence, ...period }) => JSON.stringify([period, evidence.map(({ id }) => id).sort()])).sort()
const fold = (evidence: readonly Evidence[]) => foldEvidence(evidence, coexist)

describe('edges folded from evidence', () => {
  test('are the same in whatever order it arrived', () => {
    fc.assert(
      fc.property(memories, fc.infiniteStream(fc.nat()), (evidence, random) => {
        const shuffled = evidence
          .map(one => ({ one, key: random.next().value ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ one }) => one)
        expect(shownOf(fold(shuffled))).toEqual(shownOf(fold(evidence)))
      }),
      { numRuns: 1000 },
    )
  })

  test('hold each piece of evidence exactly once, and only such about themselves', () => {
    fc.assert(
      fc.property(memories, evidence => {
        const periods = fold(evidence)
        const ids = periods.flatMap(period => period.evidence.map(({ id }) => id))
        const expected = evidence
          .filter(({ sourceId, targetId, onlyEnds }) => sourceId !== targetId && !onlyEnds)
          .map(({ id }) => id)
        expect(ids.toSorted()).toEqual(expected.toSorted())
        for (const { evidence: own, ...period } of periods) {
          for (const { type, sourceId, targetId } of own) expect(period).toMatchObject({ type, sourceId, targetId })
        }
      }),
    )
  })

  test('are known from when something was stated, and never end before they are known', () => {
    fc.assert(
      fc.property(memories, evidence => {
        for (const { knownFrom, knownTo, evidence: own } of fold(evidence)) {
          expect(own.map(({ statedAt }) => statedAt.getTime())).toContain(knownFrom.getTime())
          if (knownTo) expect(knownTo.getTime()).toBeGreaterThanOrEqual(knownFrom.getTime())
        }
      }),
    )
  })

  test('of one kind and two ends never hold twice at one time', () => {
    fc.assert(
      fc.property(memories, evidence => {
        const periods = fold(evidence)
        for (let day = 0; day < 14; day++) {
          const at = new Date(START + day * DAY_MS)
          const open = periods.filter(({ knownFrom, knownTo }) => knownFrom <= at && (!knownTo || knownTo > at))
          const keys = open.map(({ type, sourceId, targetId }) => `${type} ${sourceId} ${targetId}`)
          expect(new Set(keys).size).toBe(keys.length)
        }
      }),
    )
  })

  test('of which there is one at a time hold one, unless something says that there are more', () => {
    fc.assert(
      fc.property(memories, all => {
        const firsts = new Set<string>()
        // One statement a memory, none beside another: nothing says that there are more.
        const evidence = all
          .map(one => ({ ...one, isConcurrent: false }))
          .filter(({ memoryId }) => !firsts.has(memoryId) && firsts.add(memoryId))
        const open = foldEvidence(evidence, () => false).filter(
          ({ type, knownTo }) => ONE_AT_A_TIME.has(type) && knownTo === null,
        )
        const slots = open.map(({ type, sourceId }) => `${type} ${sourceId}`)
        expect(new Set(slots).size).toBe(slots.length)
      }),
      { numRuns: 1000 },
    )
  })

  test('do not hold when the last that was stated of them is an end', () => {
    fc.assert(
      fc.property(memories, evidence => {
        const undated = evidence.map(one => ({ ...one, effectiveAt: null, validFrom: null, validTo: null }))
        for (const period of fold(undated)) {
          const same = ({ type, sourceId, targetId }: Evidence) =>
            type === period.type && sourceId === period.sourceId && targetId === period.targetId
          const own = undated.filter(same)
          const lastDay = Math.max(...own.map(({ statedAt }) => statedAt.getTime()))
          const last = own.filter(({ statedAt }) => statedAt.getTime() === lastDay)
          if (last.every(({ closes }) => closes)) expect(period.knownTo).not.toBeNull()
        }
      }),
    )
  })
})

test.each([
  ['undated', () => null],
  ['dated backwards', (n: number) => new Date(START - n * DAY_MS)],
])('homes that are %s are compared with a bounded number of others', (_, effectiveAt) => {
  let compared = 0
  const evidence = Array.from(
    { length: 3000 },
    (_, n): Evidence => ({
      id: `${n}`,
      memoryId: `m${n}`,
      sourceId: 'a',
      targetId: `town ${n}`,
      type: 'LIVES_IN',
      confidence: 0.5,
      closes: false,
      validFrom: effectiveAt(n),
      validTo: null,
      statedAt: new Date(START + n * 1000),
      effectiveAt: effectiveAt(n),
      isConcurrent: false,
      onlyEnds: false,
      edgeId: null,
    }),
  )
  const periods = foldEvidence(evidence, () => {
    compared++
    return false
  })
  expect(periods.filter(({ knownTo }) => knownTo === null)).toHaveLength(1)
  expect(compared).toBeLessThan(301 * 3000)
})
