import { DAY_MS } from 'mneme/plugin'
/** A time span named by a text; `end` is exclusive. */
export interface DateSpan {
  readonly start: Date
  readonly end: Date
  /** The words may mean no time at all: "sun", "24/7", "room 2024". */
  readonly isDoubtful?: true
}

/** A year that is a leap year; phrases such as "since 2020" name longer spans, which are no time of now. */
const PRESENT_MS_MAX = 366 * DAY_MS

/** Tells whether a span is a time of now: "today", "this year". */
export function isPresent({ start, end }: DateSpan, now: Date): boolean {
  return start <= now && now < end && end.getTime() - start.getTime() <= PRESENT_MS_MAX
}
