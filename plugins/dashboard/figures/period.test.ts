import { describe, expect, test } from 'bun:test'
import { DateTime } from 'luxon'
import {
  bucketsOf,
  cutsOf,
  dayParts,
  partOf,
  periodFaults,
  placeIn,
  previousOf,
  readChartPeriod,
  readPeriod,
  spansOf,
  spansOver,
} from './period.ts'

const NOW = new Date('2026-03-31T21:30:00Z')
const of = (query: Parameters<typeof readPeriod>[0]) => {
  const { start, end } = readPeriod(query, NOW)
  return [start.toISOString(), end.toISOString()]
}

describe('a period', () => {
  test('is a rolling window of 24 hours a day up to now, beside one with the same times of day', () => {
    expect(of({ days: 1 })).toEqual(['2026-03-30T21:30:00.000Z', '2026-03-31T21:30:00.000Z'])
    expect(of({ days: 7, timezone: 'Europe/Lisbon' })[0]).toBe('2026-03-24T21:30:00.000Z')
    expect(of({})[0]).toBe('2026-03-01T21:30:00.000Z')
    expect(previousOf(readPeriod({ days: 1 }, NOW)).start.toISOString()).toBe('2026-03-29T21:30:00.000Z')
  })

  test('of so many days before an end has days of the zone, also when clocks change', () => {
    const month = { days: 30, end_date: '2026-04-05', timezone: 'Europe/Lisbon' }
    expect(of(month)).toEqual(['2026-03-07T00:00:00.000Z', '2026-04-05T23:00:00.000Z'])
    expect(of({ days: 1, end_date: '2026-03-29T12:00:00Z', timezone: 'Europe/Lisbon' })[0]).toBe(
      '2026-03-28T13:00:00.000Z',
    )
    // Within these 366 days clocks go back twice.
    const autumns = { start_date: '2025-10-26', end_date: '2026-10-26', timezone: 'Europe/Lisbon' }
    expect(of(autumns)).toEqual(['2025-10-25T23:00:00.000Z', '2026-10-27T00:00:00.000Z'])
  })

  test('is a range where one is given, its last day included', () => {
    expect(of({ days: 3, start_date: '2026-03-01', end_date: '2026-03-02' })).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-03-03T00:00:00.000Z',
    ])
    expect(of({ start_date: '2026-02', end_date: '2026-02' })).toEqual([
      '2026-02-01T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ])
    expect(of({ start_date: '2026-W10', end_date: '20260308', timezone: 'Asia/Kolkata' })).toEqual([
      '2026-03-01T18:30:00.000Z',
      '2026-03-08T18:30:00.000Z',
    ])
    expect(of({ start_date: '2026-03-01T10:00:00Z' })).toEqual(['2026-03-01T10:00:00.000Z', '2026-03-31T21:30:00.000Z'])
    expect(of({ start_date: '2026-03-01T10:00:00Z', end_date: '2026-03-01T10:00:00Z' })).toEqual([
      '2026-03-01T10:00:00.000Z',
      '2026-03-01T10:00:00.001Z',
    ])
    const faults = (query: Parameters<typeof periodFaults>[0]) =>
      periodFaults(query, NOW).map(({ path, message }) => `${path} ${message}`)
    expect(faults({ start_date: '2026-03-03', end_date: '2026-03-02' })).toEqual([
      'start_date must not be after end_date',
    ])
    expect(faults({ start_date: '2026-04-01' })).toEqual(['start_date must not be after now'])
    expect(of({ start_date: '2001-01-01' })[0]).toBe('2001-01-01T00:00:00.000Z')
    expect(faults({ timezone: 'Mars/Olympus' })).toEqual(['timezone must be a time zone such as Europe/Lisbon'])
  })

  test('has one of the same length just before', () => {
    const previous = previousOf(readPeriod({ start_date: '2026-03-10', end_date: '2026-03-11' }, NOW))
    expect([previous.start.toISOString(), previous.end.toISOString()]).toEqual([
      '2026-03-08T00:00:00.000Z',
      '2026-03-10T00:00:00.000Z',
    ])
  })

  test('is shown by days, by weeks from Monday, and by months', () => {
    const period = readPeriod({ start_date: '2026-02-27', end_date: '2026-03-03' }, NOW)
    const datesBy = (granularity: 'day' | 'week' | 'month') => bucketsOf(period, granularity).map(({ date }) => date)
    expect(datesBy('day')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03'])
    expect(datesBy('week')).toEqual(['2026-02-23', '2026-03-02'])
    expect(datesBy('month')).toEqual(['2026-02-01', '2026-03-01'])
  })

  test('may be as long as it likes, with coarser points where a chart would have too many', () => {
    const period = readPeriod({ start_date: '1900-01-01', end_date: '2199-12-31' }, NOW)
    expect(bucketsOf(period, 'month').length).toBe(3600)
    for (const granularity of ['day', 'week'] as const) {
      expect(() => bucketsOf(period, granularity)).toThrow(
        'granularity: must be coarser for so long a period: a chart has at most 4000 points',
      )
    }
    const decade = readPeriod({ start_date: '2016-01-01', end_date: '2025-12-31' }, NOW)
    expect(bucketsOf(decade, 'day').length).toBe(3653)
  })

  test('begins its days where they begin in the zone, also when clocks change', () => {
    const range = { start_date: '2026-03-28', end_date: '2026-03-30', timezone: 'Europe/Berlin' }
    const period = readPeriod(range, NOW)
    const buckets = bucketsOf(period, 'day')
    expect(buckets.map(({ date, start }) => [date, start.toISOString()])).toEqual([
      ['2026-03-28', '2026-03-27T23:00:00.000Z'],
      ['2026-03-29', '2026-03-28T23:00:00.000Z'],
      ['2026-03-30', '2026-03-29T22:00:00.000Z'],
    ])
    const placeOf = (at: string) => placeIn(spansOf(buckets, period), new Date(at))
    expect(placeOf('2026-03-29T21:59:00Z')).toBe(1)
    expect(placeOf('2026-03-29T22:00:00Z')).toBe(2)
    expect(placeOf('2026-03-27T22:00:00Z')).toBe(0)
  })
})

test('a day whose midnight does not exist begins with its first instant', () => {
  const range = { start_date: '2026-09-05', end_date: '2026-09-07', timezone: 'America/Santiago' }
  const buckets = bucketsOf(readPeriod(range, NOW), 'day')
  expect(buckets.map(({ date, start }) => [date, start.toISOString()])).toEqual([
    ['2026-09-05', '2026-09-05T04:00:00.000Z'],
    ['2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['2026-09-07', '2026-09-07T03:00:00.000Z'],
  ])
})

describe('the period of a chart', () => {
  const pointsOf = (query: Parameters<typeof readPeriod>[0], now = NOW) =>
    bucketsOf(readChartPeriod(query, now), 'day').map(({ date, start }) => [date, start.toISOString()])

  test('has as many whole days of the zone as were asked for, with today as the last', () => {
    expect(pointsOf({ days: 2 })).toEqual([
      ['2026-03-30', '2026-03-30T00:00:00.000Z'],
      ['2026-03-31', '2026-03-31T00:00:00.000Z'],
    ])
    expect(pointsOf({ days: 1, timezone: 'Asia/Kolkata' })).toEqual([['2026-04-01', '2026-03-31T18:30:00.000Z']])
    expect(pointsOf({}).length).toBe(30)
    // The clocks went forward on the 29th.
    expect(pointsOf({ days: 4, timezone: 'Europe/Lisbon' })[0]).toEqual(['2026-03-28', '2026-03-28T00:00:00.000Z'])
    expect(pointsOf({ days: 2 }, new Date('2026-03-31T00:00:00Z')).map(([date]) => date)).toEqual([
      '2026-03-30',
      '2026-03-31',
    ])
  })

  test('ends with the day of an end that is given', () => {
    const month = pointsOf({ days: 30, end_date: '2026-04-05', timezone: 'Europe/Lisbon' })
    expect([month.length, month[0], month.at(-1)?.[0]]).toEqual([
      30,
      ['2026-03-07', '2026-03-07T00:00:00.000Z'],
      '2026-04-05',
    ])
    expect(pointsOf({ days: 2, end_date: '2026-03-10T15:00:00Z' }).map(([date]) => date)).toEqual([
      '2026-03-09',
      '2026-03-10',
    ])
  })
})

test.each([
  'UTC',
  'Asia/Kolkata',
  'Europe/Lisbon',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Apia',
])('each day of a year begins with its midnight in %s, or with its first instant without one', zone => {
  for (const year of [2011, 2026]) {
    const range = { start_date: `${year}-01-01`, end_date: `${year}-12-31`, timezone: zone }
    const points = bucketsOf(readPeriod(range, NOW), 'day')
    const expected = points.map(({ date }) => DateTime.fromISO(date, { zone }).toJSDate().toISOString())
    expect(points.map(({ start }) => start.toISOString())).toEqual(expected)
    expect(points.length).toBe(365)
  }
})

describe('what lies within a period as a whole', () => {
  const at = (time: string) => new Date(time)

  test('days, but for those in which a span begins or the last ends', () => {
    const starts = [at('2026-03-01T00:00:00Z'), at('2026-03-02T18:30:00Z'), at('2026-03-02T20:00:00Z')]
    const day = '2026-03-02T00:00:00.000Z'
    expect(cutsOf({ starts, end: at('2026-03-05T00:00:00Z') })).toEqual([
      { span: 1, day, hour: 18, share: 0.5 },
      { span: 2, day, hour: 20, share: 0 },
    ])
    expect(cutsOf({ starts: [], end: at('2026-03-02T00:45:00Z') })).toEqual([{ span: 0, day, hour: 0, share: 0.75 }])
  })

  test('shares of a whole number that add up to it', () => {
    expect([partOf(7, 0, 0.5), partOf(7, 0.5, 1)]).toEqual([4, 3])
    const cuts = [0, 0.1, 0.35, 0.36, 0.9, 1]
    const parts = cuts.slice(1).map((cut, n) => partOf(11, cuts[n] ?? 0, cut))
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(11)
    expect(parts.every(part => part >= 0)).toBe(true)
  })

  test('months and thirds of months that are over, and the days that are left', () => {
    const within = (from: string, to: string) => dayParts({ from, to }, at('2026-06-20T13:00:00Z'))
    expect(within('2026-02-28', '2026-06-20')).toEqual({
      months: ['2026-03-01', '2026-04-01', '2026-05-01'],
      thirds: ['2026-06-01'],
      days: ['2026-02-28', ...Array.from({ length: 10 }, (_, n) => `2026-06-${11 + n}`)],
    })
    expect(within('2026-01-09', '2026-02-20')).toEqual({
      months: [],
      thirds: ['2026-01-11', '2026-01-21', '2026-02-01', '2026-02-11'],
      days: ['2026-01-09', '2026-01-10'],
    })
    expect(within('2025-12-01', '2026-01-31').months).toEqual(['2025-12-01', '2026-01-01'])
    expect(within('2026-02-21', '2026-02-27')).toMatchObject({ months: [], thirds: [] })
    expect(within('2026-02-21', '2026-02-28')).toEqual({ months: [], thirds: ['2026-02-21'], days: [] })
    expect(within('2026-06-15', '2199-12-31').days).toEqual(Array.from({ length: 6 }, (_, n) => `2026-06-${15 + n}`))
    expect(within('2026-07-01', '2199-12-31')).toEqual({ months: [], thirds: [], days: [] })
  })

  test('months and thirds that a roll-up completes', () => {
    const over = (from: string, to: string) => spansOver(at(from), at(to)).map(({ size, first }) => `${size} ${first}`)
    expect(over('2026-01-30T00:00:00Z', '2026-02-01T00:00:00Z')).toEqual(['month 2026-01-01', 'third 2026-01-21'])
    expect(over('2026-01-30T00:00:00Z', '2026-01-31T23:00:00Z')).toEqual([])
    expect(over('2026-02-05T00:00:00Z', '2026-02-12T00:00:00Z')).toEqual(['third 2026-02-01'])
    expect(over('2025-12-30T00:00:00Z', '2026-02-01T01:00:00Z')).toEqual([
      'month 2025-12-01',
      'month 2026-01-01',
      'third 2025-12-21',
      'third 2026-01-01',
      'third 2026-01-11',
      'third 2026-01-21',
    ])
  })

  test('an instant lies in the last span that begins before it or with it', () => {
    const starts = ['2026-03-01', '2026-03-02', '2026-03-04'].map(day => at(`${day}T00:00:00Z`))
    const place = (time: string) => placeIn({ starts, end: at('2026-03-09T00:00:00Z') }, at(time))
    const times = ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-03-03T23:59:59Z', '2026-03-04T00:00:00Z']
    expect(times.map(place)).toEqual([0, 0, 1, 2])
  })
})
