import { describe, expect, test } from 'bun:test'
import type { ExtractedEnding, ExtractedRelation } from '../contract.ts'
import { evidenceRows } from './fact-rows.ts'

const IDS = ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002']
const STATED = new Date('2026-11-10T12:00:00.000Z')
const span = { start: 0, end: 4 }
const job = { type: 'WORKS_AT', source: 0, target: 1, confidence: 0.9, span, validFrom: null, validTo: null } as const

function rowsOf(told: { relation?: Partial<ExtractedRelation>; ending?: Partial<ExtractedEnding> }) {
  const extraction = {
    memoryId: 'm',
    extractedBy: 'model',
    entities: [],
    relations: told.relation ? [{ ...job, closes: false, ...told.relation }] : [],
    endings: told.ending ? [{ ...job, ...told.ending }] : [],
    statements: [],
  }
  const memory = { id: 'm', userId: 'u7', text: 'Text', revision: 1, categories: [], statedAt: STATED }
  const rows = evidenceRows({ ...memory, restatedAt: [new Date('2027-08-01T00:00:00.000Z')], extraction }, IDS)
  return rows.map(({ closes, valid_from, valid_to, effective_at }) => {
    const day = (date: Date | null) => date?.toISOString().slice(0, 10) ?? ''
    return `${closes ? '-' : ''}${day(valid_from)}..${day(valid_to)} ${day(effective_at)}`.trim()
  })
}

describe('an end that a memory of 10 November 2026 tells, and tells again in August 2027', () => {
  test.each([
    [
      'closes nothing before it has come',
      { closes: true, validTo: '2027-06' },
      ['..2027-06-01', '-..2027-06-01 2027-06-30'],
    ],
    ['closes at once without a date', { closes: true }, ['-..', '-..']],
    [
      'closes at once within a period that has begun',
      { closes: true, validTo: '2026' },
      ['-..2026-01-01 2026-11-10', '-..2026-01-01 2026-12-31'],
    ],
    [
      'may be tomorrow where it is today elsewhere',
      { closes: true, validTo: '2026-11-11' },
      ['-..2026-11-10', '-..2026-11-11 2026-11-11'],
    ],
    [
      'comes with the last day of a period that has begun',
      { validTo: '2026' },
      ['..2026-12-31', '..2026-01-01 2026-12-31'],
    ],
    ['says nothing where it is a placeholder', { validFrom: '0001-01-01', validTo: '0000' }, ['..', '..']],
  ])('%s', (_, relation, rows) => {
    expect(rowsOf({ relation })).toEqual(rows)
  })

  test('where nothing else is told, is no evidence before it has come', () => {
    expect(rowsOf({ ending: { validTo: '2027-06' } })).toEqual(['-..2027-06-01 2027-06-30'])
  })
})
