/** A year, a month, a day, a week or a day of one, a day of the year; with signs between the parts or without. */
const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?|(\d{2})(\d{2})|-?W(\d{2})(?:-?([1-7]))?|-?(\d{3}))?$/
const TIME = /^(\d{2})(?:(:?)(\d{2})(?:\2(\d{2})(?:[.,](\d{1,9}))?)?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?$/

/** A date names the whole of one of these. */
export type DateUnit = 'year' | 'month' | 'week' | 'day'

/**
 * Reads an ISO 8601 date or date-time as an instant; undefined when it is none. A date alone, which may be a month, a week or a year, is
 * its first instant; without an offset the time is UTC. Days and times that do not exist are refused; a leap second counts as the next
 * second.
 */
export function parseInstant(value: string): Date | undefined {
  const text = value.trim()
  const at = /[Tt ]/.exec(text)?.index ?? -1
  const date = readDate(at < 0 ? text : text.slice(0, at))
  if (!date || at < 0) return date?.first
  return date.unit === 'day' ? withTime(date.first, text.slice(at + 1)) : undefined
}

/** Tells what a date without a time names the whole of; undefined where the input is no such date. */
export function dateUnit(value: string): DateUnit | undefined {
  return readDate(value.trim())?.unit
}

function readDate(text: string): { readonly first: Date; readonly unit: DateUnit } | undefined {
  const match = DATE.exec(text)
  if (!match) return undefined
  const [year, month, day, basicMonth, basicDay, week, weekday, ordinal] = match
    .slice(1)
    .map(part => (part === undefined ? undefined : Number(part)))
  if (year === undefined) return undefined
  if (week !== undefined) return dayOf(weekDay(year, week, weekday ?? 1), weekday === undefined ? 'week' : 'day')
  if (ordinal !== undefined) return dayOf(yearDay(year, ordinal), 'day')
  const unit = (day ?? basicDay) !== undefined ? 'day' : month === undefined ? 'year' : 'month'
  return dayOf(calendarDay(year, month ?? basicMonth ?? 1, day ?? basicDay ?? 1), unit)
}

function dayOf(first: Date | undefined, unit: DateUnit) {
  return first && { first, unit }
}

/** A day that does not exist rolls over into the next month. */
function calendarDay(year: number, month: number, day: number): Date | undefined {
  const date = utcDay(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined
}

function yearDay(year: number, ordinal: number): Date | undefined {
  const date = utcDay(year, 0, ordinal)
  return ordinal > 0 && date.getUTCFullYear() === year ? date : undefined
}

/** The first week of a year has its fourth day of January; weeks begin on Monday and belong to the year of their Thursday. */
function weekDay(year: number, week: number, weekday: number): Date | undefined {
  const mondayIs = 4 - ((utcDay(year, 0, 4).getUTCDay() + 6) % 7) + 7 * (week - 1)
  const isOfYear = utcDay(year, 0, mondayIs + 3).getUTCFullYear() === year
  return isOfYear ? utcDay(year, 0, mondayIs + weekday - 1) : undefined
}

function utcDay(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date
}

function withTime(day: Date, text: string): Date | undefined {
  const match = TIME.exec(text)
  if (!match) return undefined
  const [hour = 0, minute = 0, second = 0] = [match[1], match[3], match[4]].map(part => Number(part ?? 0))
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && (minute > 0 || second > 0))) return undefined
  const milliseconds = Math.floor(Number(`0.${match[5] ?? 0}`) * 1000)
  const offset = offsetMinutes(match[6])
  if (offset === undefined) return undefined
  day.setUTCHours(hour, minute - offset, second, milliseconds)
  return day
}

/**
 * Callers may give dates and times between these, both included: every part of the service can compare and store them.
 */
export const EARLIEST = new Date('1900-01-01T00:00:00.000Z')
export const LATEST = new Date('2200-01-01T00:00:00.000Z')

/** An event may lie this far ahead, since clocks of clients differ and a day may have begun elsewhere. */
const AHEAD_MS_MAX = 86_400_000

/** Returns the fault of a date or time that a caller gives, as the end of a sentence, or undefined. */
export function instantFault(value: string, { happened = false }: { happened?: boolean }): string | undefined {
  const instant = parseInstant(value)
  // The query of an address has its spaces as +, so an offset that was not encoded arrives without its sign.
  if (!instant && parseInstant(value.replace(' ', '+')))
    return 'must be an ISO 8601 date or date-time, whose + is written %2B in an address'
  if (!instant) return 'must be an ISO 8601 date or date-time'
  if (instant < EARLIEST || instant > LATEST) return 'must lie between 1900-01-01 and 2200-01-01'
  if (happened && instant.getTime() > Date.now() + AHEAD_MS_MAX) return 'must not be more than a day ahead'
  return undefined
}

function offsetMinutes(text: string | undefined): number | undefined {
  if (!text || text === 'Z' || text === 'z') return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(3).replace(':', '') || 0)
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
