import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { dateUnit, instantFault, parseInstant } from './time.ts'

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
      '2026': '2026-01-01T00:00:00.000Z',
      '2026-03': '2026-03-01T00:00:00.000Z',
      '20260301': '2026-03-01T00:00:00.000Z',
      '2026-W10': '2026-03-02T00:00:00.000Z',
      '2026W103': '2026-03-04T00:00:00.000Z',
      '2026-W10-7T10:00Z': '2026-03-08T10:00:00.000Z',
      '2020-W53-5': '2021-01-01T00:00:00.000Z',
      '2025-W01': '2024-12-30T00:00:00.000Z',
      '2024-366': '2024-12-31T00:00:00.000Z',
      '2026060': '2026-03-01T00:00:00.000Z',
      '2026-02-03T04': '2026-02-03T04:00:00.000Z',
      '20260301T10Z': '2026-03-01T10:00:00.000Z',
      '20260301T101530.5+0100': '2026-03-01T09:15:30.500Z',
    }
    for (const [given, expected] of Object.entries(cases)) expect([given, iso(given)]).toEqual([given, expected])
  })

  test('that do not exist are refused', () => {
    const wrong = [
      '',
      'yesterday',
      '202603',
      '2026-00',
      '2026-13',
      '2026-W00',
      '2026-W54',
      '2025-W53',
      '2026-W10-8',
      '2026-000',
      '2025-366',
      '20260230',
      '2026-02T10:00',
      '2026-W10T10:00',
      '2026T10',
      '2026-02-03T',
      '2026-02-03T1015:30',
      '2026-02-03T10:1530',
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

test('a date alone is told from a time, and by what it names the whole of', () => {
  const units = {
    '2026': 'year',
    '2026-02': 'month',
    '2026-W10': 'week',
    '2026-W10-3': 'day',
    '2026-060': 'day',
    ' 2026-02-03 ': 'day',
    '20260203': 'day',
    '2026-02-03T00:00': undefined,
    '2026-W54': undefined,
  }
  for (const [given, unit] of Object.entries(units)) expect([given, dateUnit(given)]).toEqual([given, unit])
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

  test('of an address whose + was not encoded is refused with the way to write it', () => {
    const written = new URLSearchParams('at=2026-11-26T10:00:00+02:00').get('at') ?? ''
    expect(instantFault(written, {})).toEndWith('whose + is written %2B in an address')
    expect(instantFault('next week', {})).toBe('must be an ISO 8601 date or date-time')
  })

  test('is not more than a day ahead where it is said to have happened', () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    expect(instantFault(inHours(23), { happened: true })).toBeUndefined()
    expect(instantFault(inHours(25), { happened: true })).toBe('must not be more than a day ahead')
    expect(instantFault(inHours(25), {})).toBeUndefined()
  })
})
