import { DateTime, IANAZone } from 'luxon'
import { DAY_MS, dateUnit, type ErrorDetail, HOUR_MS, parseInstant, validationError } from 'mneme/plugin'

/** A span of time, `end` excluded. */
export interface Period {
  readonly start: Date
  readonly end: Date
  /** An IANA zone, in which days begin. */
  readonly zone: string
}

export interface PeriodQuery {
  readonly days?: number | undefined
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
  readonly timezone?: string | undefined
}

export const DAYS_STANDARD = 30
/** A chart of ten years by days, or of three centuries by months. */
const POINTS_MAX = 4000

export type Granularity = 'day' | 'week' | 'month'

/**
 * The period of a request. A range wins over `days`. These are 24 hours each, up to now; before an `end_date` they are days of the zone.
 * @throws VALIDATION_ERROR
 */
export function readPeriod(query: PeriodQuery, now: Date): Period {
  const isRolling = query.end_date === undefined
  return endingWith(query, now, ({ end, zone }, days) =>
    isRolling ? new Date(end.getTime() - days * DAY_MS) : daysBefore(end, days, zone),
  )
}

/**
 * The same for charts: their `days` are whole ones of the zone, so that each has a point; the last is the day in which the period ends.
 * @throws VALIDATION_ERROR
 */
export function readChartPeriod(query: PeriodQuery, now: Date): Period {
  // At midnight, too, today is the last day.
  const afterNow = new Date(now.getTime() + 1)
  return endingWith(query, afterNow, ({ end, zone }, days) => {
    const lastDay = DateTime.fromMillis(end.getTime() - 1, { zone }).startOf('day')
    return lastDay.minus({ days: days - 1 }).toJSDate()
  })
}

/**
 * @param query has passed {@link periodFaults}
 * @param beginningOf says where a period of so many days begins that has no `start_date`
 */
function endingWith(
  query: PeriodQuery,
  now: Date,
  beginningOf: (period: { readonly end: Date; readonly zone: string }, days: number) => Date,
): Period {
  const zone = query.timezone ?? 'UTC'
  const end = query.end_date === undefined ? now : endOf(query.end_date, zone)
  if (query.start_date === undefined) {
    return { start: beginningOf({ end, zone }, query.days ?? DAYS_STANDARD), end, zone }
  }
  const start = beginOf(query.start_date, zone)
  // The last instant belongs to the period: of one that begins with it, it is all.
  return { start, end: start < end ? end : new Date(start.getTime() + 1), zone }
}

/** Finds what is wrong with a period that no schema can detect. */
export function periodFaults(query: PeriodQuery, now: Date): ErrorDetail[] {
  const zone = query.timezone ?? 'UTC'
  if (!IANAZone.isValidZone(zone)) return [{ path: 'timezone', message: 'must be a time zone such as Europe/Lisbon' }]
  if (query.start_date === undefined) return []
  const start = beginOf(query.start_date, zone)
  const end = query.end_date === undefined ? now : endOf(query.end_date, zone)
  // A day ends with the next midnight, at which a start would lie after it.
  const startsAfterDay =
    start.getTime() === end.getTime() && query.end_date !== undefined && beginOf(query.end_date, zone) < end
  if (start <= end && !startsAfterDay) return []
  return [{ path: 'start_date', message: `must not be after ${query.end_date === undefined ? 'now' : 'end_date'}` }]
}

function beginOf(given: string, zone: string): Date {
  if (dateUnit(given)) return dayIn(given, zone).toJSDate()
  return parseInstant(given) ?? new Date(Number.NaN)
}

/** A date alone stands for the whole of the day, week, month or year that it names. */
function endOf(given: string, zone: string): Date {
  const unit = dateUnit(given)
  if (unit)
    return dayIn(given, zone)
      .plus({ [unit]: 1 })
      .toJSDate()
  return parseInstant(given) ?? new Date(Number.NaN)
}

/** The first instant of a date in a time zone. */
function dayIn(date: string, zone: string): DateTime {
  const day = parseInstant(date)?.toISOString().slice(0, 10) ?? ''
  return DateTime.fromISO(day, { zone })
}

/** Days of the zone, which are longer or shorter where clocks change. */
function daysBefore(end: Date, days: number, zone: string): Date {
  return DateTime.fromJSDate(end, { zone }).minus({ days }).toJSDate()
}

/** The period of the same length just before. */
export function previousOf({ start, end, zone }: Period): Period {
  return { start: new Date(start.getTime() - (end.getTime() - start.getTime())), end: start, zone }
}

/** Spans of time in a row: each ends where the next begins, the last at `end`. */
export interface Spans {
  /** In ascending order. */
  readonly starts: readonly Date[]
  readonly end: Date
}

/** A point of a chart. */
export interface Bucket {
  /** The date that it is shown under; a week's Monday, a month's first. */
  readonly date: string
  readonly start: Date
}

/** The shortest that a point may stand for, in days. */
const POINT_DAYS = { day: 1, week: 7, month: 28 }

/**
 * The points of a period's chart. The first may be cut by the beginning of the period, the last by its end.
 * @throws VALIDATION_ERROR for more points than a chart has
 */
export function bucketsOf({ start, end, zone }: Period, granularity: Granularity): Bucket[] {
  if (end.getTime() - start.getTime() > POINTS_MAX * POINT_DAYS[granularity] * DAY_MS) {
    const message = `must be coarser for so long a period: a chart has at most ${POINTS_MAX} points`
    throw validationError([{ path: 'granularity', message }])
  }
  const buckets: Bucket[] = []
  const first = DateTime.fromJSDate(start, { zone }).startOf(granularity)
  const beginningOf = beginningsIn(zone)
  let date = new Date(Date.UTC(first.year, first.month - 1, first.day))
  for (let at = start; at < end; at = beginningOf(date)) {
    buckets.push({ date: dayOf(date), start: at })
    date = following(date, granularity)
  }
  return buckets
}

/** The next date of a chart; dates are kept as their first instants in UTC, which costs a fraction of a calendar with zones. */
function following(date: Date, granularity: Granularity): Date {
  if (granularity === 'month') return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
  return new Date(date.getTime() + (granularity === 'week' ? 7 : 1) * DAY_MS)
}

export function spansOf(buckets: readonly Bucket[], { end }: Period): Spans {
  return { starts: buckets.map(({ start }) => start), end }
}

/** The place of the span that an instant falls into; what lies before the first counts with it. */
export function placeIn({ starts }: Spans, instant: Date): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? instant) <= instant) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** An edge of a span that lies within a day (UTC). */
export interface Cut {
  /** The place of the span that begins here; behind the last one for the end. */
  readonly span: number
  /** The first instant of its day. */
  readonly day: string
  /** The hour of its day that it lies in, and the share of that hour which is before it. */
  readonly hour: number
  readonly share: number
}

/** The edges of spans that lie within days. */
export function cutsOf({ starts, end }: Spans): Cut[] {
  return [...starts, end].flatMap((edge, span) => {
    const day = midnightOf(edge)
    const hours = (edge.getTime() - day.getTime()) / HOUR_MS
    const hour = Math.floor(hours)
    return hours === 0 ? [] : [{ span, day: day.toISOString(), hour, share: hours - hour }]
  })
}

/** The part of a whole number between two shares of it: parts in a row add up to the whole. */
export function partOf(whole: number, from: number, to: number): number {
  return Math.round(whole * to) - Math.round(whole * from)
}

/** The day of an instant in UTC, `YYYY-MM-DD`. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

/** Figures are kept for so many days: a year can be compared with the year before it. */
export const DAYS_KEPT = 800

/** The day of an instant, or the first that is kept. */
export function keptDay(instant: Date, now: Date): string {
  return dayOf(new Date(Math.max(instant.getTime(), now.getTime() - DAYS_KEPT * DAY_MS)))
}

/** Days (UTC) in a row, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** The days in which a period begins and ends; what is kept by such days is counted for whole ones, whatever the zone. */
export function daysOf({ start, end }: Period): Days {
  return { from: dayOf(start), to: dayOf(new Date(end.getTime() - 1)) }
}

export function wholeDays({ from, to }: Days): { readonly start: Date; readonly end: Date } {
  return { start: new Date(from), end: new Date(dayAfter(to)) }
}

/** A third of a month begins with its 1st, 11th or 21st day. */
export type SpanSize = 'third' | 'month'

/** Days in a row (UTC), `end` excluded. */
export interface DaySpan {
  readonly size: SpanSize
  readonly first: string
  readonly end: string
}

const THIRD_DAYS = 10
const THIRDS = 3

/** The span of a size that has a day. */
function spanWith(size: SpanSize, day: Date): DaySpan {
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()]
  const dateOf = (ofMonth: number, dayOfMonth: number) => dayOf(new Date(Date.UTC(year, ofMonth, dayOfMonth)))
  if (size === 'month') return { size, first: dateOf(month, 1), end: dateOf(month + 1, 1) }
  const third = Math.min(THIRDS - 1, Math.floor((day.getUTCDate() - 1) / THIRD_DAYS))
  const first = third * THIRD_DAYS + 1
  const end = third === THIRDS - 1 ? dateOf(month + 1, 1) : dateOf(month, first + THIRD_DAYS)
  return { size, first: dateOf(month, first), end }
}

/** Takes days apart: the first days of whole months, of whole thirds where there is no month, and the days that are left. */
export interface DayParts {
  readonly months: readonly string[]
  readonly thirds: readonly string[]
  readonly days: readonly string[]
}

/** @param until what lies after it is not over yet, and of later days there is nothing */
export function dayParts({ from, to }: Days, until: Date): DayParts {
  const parts = { month: [] as string[], third: [] as string[], day: [] as string[] }
  const over = dayOf(until)
  for (let at = from; at <= to && at <= over; ) {
    const day = new Date(at)
    const span = (['month', 'third'] as const)
      .map(size => spanWith(size, day))
      .find(({ first, end }) => first === at && end <= over && end <= dayAfter(to))
    parts[span?.size ?? 'day'].push(at)
    at = span?.end ?? dayAfter(at)
  }
  return { months: parts.month, thirds: parts.third, days: parts.day }
}

/** The spans that have a day in `[from, to)` and are over by its end. */
export function spansOver(from: Date, to: Date): DaySpan[] {
  return (['month', 'third'] as const).flatMap(size => {
    const spans: DaySpan[] = []
    let span = spanWith(size, from)
    for (; span.end <= dayOf(to); span = spanWith(size, new Date(span.end))) spans.push(span)
    return spans
  })
}

function dayAfter(day: string): string {
  return dayOf(new Date(new Date(day).getTime() + DAY_MS))
}

/** The first instant of an hour. */
export function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / HOUR_MS) * HOUR_MS)
}

/** The first instant of a day (UTC). */
export function midnightOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS)
}

/** No zone changes its clocks twice within so many days. */
const STEADY_MS = 7 * DAY_MS

/** Tells when dates, in ascending order, begin in a zone. It asks the calendar of the zone only near a change of its clocks. */
function beginningsIn(zone: string): (date: Date) => Date {
  const clocks = IANAZone.create(zone)
  const aheadMs = (instant: number) => clocks.offset(instant) * 60_000
  let steady: { readonly to: number; readonly aheadMs: number | undefined } = {
    to: Number.NEGATIVE_INFINITY,
    aheadMs: 0,
  }
  return date => {
    const at = date.getTime()
    if (at > steady.to) {
      const to = at + STEADY_MS
      // No zone is a day ahead of UTC, or behind it.
      const [before, after] = [aheadMs(at - DAY_MS), aheadMs(to + DAY_MS)]
      steady = { to, aheadMs: before === after ? before : undefined }
    }
    if (steady.aheadMs !== undefined) return new Date(at - steady.aheadMs)
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
    return DateTime.fromObject({ year, month, day }, { zone }).toJSDate()
  }
}
