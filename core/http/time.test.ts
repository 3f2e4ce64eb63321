import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { instantFault, isDateOnly, parseInstant } from './time.ts'

const iso = (value: string) => parseInstant(value)?.toISOString()

describe('instants', () => {
  test('are read from every usual form of ISO 8601', () => {
    const cases: Record<string, string> = {
      '2026-02-03': '2026-02-03T00:00:00.000Z',
      '2026-02-03T04:05': '2026-02-03T04:05:00.000Z',
      '2026-02-03T04:05:06': '2026-02-03T04:05:06.000Z',
      '2026-02-03T04:05:06Z': '2026-02-03T04:05:06.000Z',
      '2026-02-03t04:05:06z': '2026-02-03T04:05:06.000Z',
      '2026-02-03 04:05:06Z': '2026-02-03T04:05:06.000Z',
      '2026-02-03T04:05:06.7Z': '2026-02-03T04:05:06.700Z',
      '2026-02-03T04:05:06,123Z': '2026-02-03T04:05:06.123Z',
      '2026-02-03T04:05:06.123456789Z': '2026-02-03T04:05:06.123Z',
      '2026-02-03T04:05:06+02:00': '2026-02-03T02:05:06.000Z',
      '2026-02-03T04:05:06-0530': '2026-02-03T09:35:06.000Z',
      '2026-02-03T04:05:06+02': '2026-02-03T02:05:06.000Z',
      '2026-02-03T24:00:00Z': '2026-02-04T00:00:00.000Z',
      '2016-12-31T23:59:60Z': '2017-01-01T00:00:00.000Z',
      '2024-02-29': '2024-02-29T00:00:00.000Z',
      '0099-01-01': '0099-01-01T00:00:00.000Z',
    }
    for (const [given, expected] of Object.entries(cases)) expect([given, iso(given)]).toEqual([given, expected])
  })

  test('that do not exist are refused', () => {
    const wrong = [
      '',
      'yesterday',
      '2026',
      '2026-02',
      '2026-13-01',
      '2026-00-10',
      '2026-02-30',
      '2025-02-29',
      '2026-02-03T25:00',
      '2026-02-03T24:00:01',
      '2026-02-03T04:60',
      '2026-02-03T04:05:61',
      '2026-02-03T04:05:06+24:00',
      '2026-02-03T04:05:06+02:60',
      '2026-02-03T04',
      '02/03/2026',
      '1770091506',
      '2026-02-03T04:05:06Z; drop table',
      '२०२६-०२-०३',
    ]
    for (const value of wrong) expect([value, iso(value)]).toEqual([value, undefined])
  })

  test('survive a round through their own text, whatever they are', () => {
    const dates = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(fc.property(dates, date => expect(iso(date.toISOString())).toBe(date.toISOString())))
  })
})

test('a day alone is told from a time', () => {
  expect(isDateOnly('2026-02-03')).toBe(true)
  expect(isDateOnly(' 2026-02-03 ')).toBe(true)
  expect(isDateOnly('2026-02-03T00:00')).toBe(false)
})

describe('a date that a caller gives', () => {
  test.each(['1900-01-01', '2200-01-01', '1900-01-01T02:00:00+02:00', '2026-11-22T10:00:00Z'])('may be %s', given => {
    expect(instantFault(given, {})).toBeUndefined()
  })

  test.each([
    '0001-01-01',
    '0300-01-01',
    '1899-12-31T23:59:59.999Z',
    '1900-01-01T00:30:00+02:00',
    '9999-12-31T23:59:59Z',
  ])('is refused beyond what every part can store: %s', given => {
    expect(instantFault(given, {})).toBe('must lie between 1900-01-01 and 2200-01-01')
  })

  test('is not more than a day ahead where it is said to have happened', () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    expect(instantFault(inHours(23), { happened: true })).toBeUndefined()
    expect(instantFault(inHours(25), { happened: true })).toBe('must not be more than a day ahead')
    expect(instantFault(inHours(25), {})).toBeUndefined()
  })
})
