/** The first and last instants that both ISO 8601 with four digits of year and Postgres can write. */
const FIRST_INSTANT = Date.UTC(2000, 0, 1) - 730_119 * 86_400_000
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Brings an instant that an offset pushed over the edge of the calendar back onto it. */
export function withinCalendar(instant: Date): Date {
  return new Date(Math.min(LAST_INSTANT, Math.max(FIRST_INSTANT, instant.getTime())))
}
