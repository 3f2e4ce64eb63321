import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { marksOf, type QuerySignals, SIMILAR_FROM, signalsOf, weightOf, withGeneral } from './feedback.ts'

const row = (fields: Partial<QuerySignals>): QuerySignals => ({
  memoryId: 'm',
  similarity: 1,
  positive: 0,
  negative: 0,
  neutral: 0,
  ...fields,
})
const signal = (...rows: readonly Partial<QuerySignals>[]) => signalsOf(rows.map(row)).get('m')

describe('signalsOf', () => {
  test('is one half after one signal and grows with each agreeing one', () => {
    expect(signal({ positive: 1 })).toBe(0.5)
    expect(signal({ negative: 1 })).toBe(-0.5)
    expect(signal({ positive: 9 })).toBe(0.9)
    expect(signal({ positive: 3, negative: 3 })).toBe(0)
    expect(signal({ positive: 1, neutral: 2 })).toBeCloseTo(1 / 3)
  })

  test('counts the same query in full, similar ones less, and others not at all', () => {
    expect(signal({ positive: 1, similarity: SIMILAR_FROM })).toBeCloseTo(0.2)
    expect(signal({ positive: 1, similarity: 0.95 })).toBeWithin(0.4, 0.5)
    expect(signal({ positive: 1, similarity: SIMILAR_FROM - 0.01 })).toBe(0)
    expect(weightOf(1.0000001)).toBe(1)
  })

  test('lets signals for the query itself outweigh those for similar ones', () => {
    expect(signal({ negative: 1 }, { positive: 1, similarity: 0.9 })).toBeLessThan(0)
  })

  test('stays between −1 and 1, and general signals never change its sign', () => {
    const counts = { positive: fc.nat(1000), negative: fc.nat(1000), neutral: fc.nat(1000) }
    const similarity = fc.double({ min: -1, max: 1.01, noNaN: true })
    const rows = fc.array(fc.record({ ...counts, similarity }), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(rows, fc.record(counts), (drawn, general) => {
        const asked = signal(...drawn) ?? Number.NaN
        expect(Math.abs(asked)).toBeLessThanOrEqual(1)
        const all = withGeneral(asked, general)
        expect(Math.abs(all)).toBeLessThanOrEqual(1)
        expect(Math.abs(all - asked)).toBeLessThanOrEqual(0.2)
      }),
    )
  })
})

describe('marksOf', () => {
  test.each([
    ['status of ticket 4711', 'the state of TICKET 4711', true],
    ['status of ticket 4711', 'status of ticket 4712', false],
    ['who likes tea', 'who does not like tea', false],
    ['who likes tea', "who doesn't like tea", false],
    ['wer mag Tee', 'wer mag nicht Tee', false],
    ['tea -green', 'tea', false],
    ['tea -green', 'which tea -Green', true],
    ['"green tea"', 'green tea', false],
    ['notes about the nothing band', 'notes about the band', true],
  ])('%j and %j', (one, other, alike) => {
    expect(marksOf(one) === marksOf(other)).toBe(alike)
  })

  test('is empty for plain words and otherwise not readable', () => {
    expect(marksOf('which tea does Ada like?')).toBe('')
    expect(marksOf('room 101')).toMatch(/^[0-9a-f]{32}$/)
  })
})
