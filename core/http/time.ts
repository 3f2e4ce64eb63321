const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/

/**
 * Reads an ISO 8601 date or date-time as an instant; undefined when it is none. A date alone is its first instant;
 * without an offset the time is UTC. Days and times that do not exist are refused; a leap second counts as the next
 * second.
 */
export function parseInstant(value: string): Date | undefined {
  const match = ISO.exec(value.trim())
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(part => Number(part ?? 0))
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (hour === undefined || minute === undefined || second === undefined) return undefined
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && (minute > 0 || second > 0))) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  // A day that does not exist rolls over into the next month.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const milliseconds = Math.floor(Number(`0.${match[7] ?? 0}`) * 1000)
  const offset = offsetMinutes(match[8])
  if (offset === undefined) return undefined
  date.setUTCHours(hour, minute - offset, second, milliseconds)
  return date
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
  if (!instant) return 'must be an ISO 8601 date or date-time'
  if (instant < EARLIEST || instant > LATEST) return 'must lie between 1900-01-01 and 2200-01-01'
  if (happened && instant.getTime() > Date.now() + AHEAD_MS_MAX) return 'must not be more than a day ahead'
  return undefined
}

/** Tells whether the input names a day and no time. */
export function isDateOnly(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value.trim())
}

function offsetMinutes(text: string | undefined): number | undefined {
  if (!text || text === 'Z' || text === 'z') return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(3).replace(':', '') || 0)
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
