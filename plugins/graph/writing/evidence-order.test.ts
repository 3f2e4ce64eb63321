import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Evidence } from './evidence.ts'
import { inOrder } from './evidence-order.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2024, 0, 1)

const evidence = fc
  .array(fc.record({ day: fc.nat(8), told: fc.option(fc.nat(8)), closes: fc.boolean() }), { maxLength: 30 })
  .map(list =>
    list.map(
      ({ day, told, closes }, n): Evidence => ({
        id: `e${String(n).padStart(2, '0')}`,
        memoryId: `m${n % 7}`,
        sourceId: 'ada',
        targetId: `t${n % 3}`,
        type: 'LIVES_IN',
        confidence: 0.8,
        closes,
        validFrom: null,
        validTo: null,
        statedAt: new Date(START + day * DAY_MS),
        effectiveAt: told === null ? null : new Date(START + told * DAY_MS),
        isConcurrent: false,
        onlyEnds: false,
        edgeId: null,
      }),
    ),
  )

/** By the definition: one after the other as stated, what tells a date before the first that has a later one. */
function oneByOne(stated: readonly Evidence[]): Evidence[] {
  const ordered: Evidence[] = []
  for (const one of stated) {
    const { effectiveAt } = one
    const before = effectiveAt
      ? ordered.findIndex(other => other.effectiveAt !== null && other.effectiveAt > effectiveAt)
      : -1
    if (before === -1) ordered.push(one)
    else ordered.splice(before, 0, one)
  }
  return ordered
}

describe('the order of evidence', () => {
  test('is the one that putting each in its place gives', () => {
    fc.assert(
      fc.property(evidence, all => {
        const stated = inOrder(all.map(one => ({ ...one, effectiveAt: null })))
        const asStated = stated.flatMap(({ id }) => all.filter(one => one.id === id))
        expect(inOrder(all).map(({ id }) => id)).toEqual(oneByOne(asStated).map(({ id }) => id))
      }),
      { numRuns: 1000 },
    )
  })
})
