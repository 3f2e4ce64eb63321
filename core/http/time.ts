const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/

/**
 * An ISO 8601 date or date-time as an instant, or undefined when it is none. A date alone is its first instant; without an
 * offset the time is UTC. Days and times that do not exist are refused; a leap second counts as the next second.
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

/** Whether the input names a day and no time. */
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
