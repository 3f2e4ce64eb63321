import { DAY_MS } from 'mneme/plugin'

/** A time span named by a text; `end` is exclusive. */
export interface DateSpan {
  readonly start: Date
  readonly end: Date
  /** The words may mean no time at all: "sun", "24/7", "room 2024". */
  readonly isDoubtful?: true
}

/** No memory lies beyond these instants, so a span that ends here is open. JavaScript has more years, which Postgres reads in another form. */
export const FIRST = new Date('0001-01-01T00:00:00.000Z')
export const LAST = new Date('9999-12-31T23:59:59.999Z')

/** Cuts off what lies beyond the calendar; undefined where nothing is left, as of a day that does not exist. */
export function withinCalendar(span: DateSpan): DateSpan | undefined {
  const start = new Date(Math.max(span.start.getTime(), FIRST.getTime()))
  const end = new Date(Math.min(span.end.getTime(), LAST.getTime()))
  return start < end ? { ...span, start, end } : undefined
}

/** A year that is a leap year; phrases such as "since 2020" name longer spans, which are no time of now. */
const PRESENT_MS_MAX = 366 * DAY_MS

/** Tells whether a span is a time of now: "today", "this year". */
export function isPresent({ start, end }: DateSpan, now: Date): boolean {
  return start <= now && now < end && end.getTime() - start.getTime() <= PRESENT_MS_MAX
}
