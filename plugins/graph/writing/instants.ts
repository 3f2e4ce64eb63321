/** A time as a text tells it: the first and the last instant it can mean. */
export interface ToldTime {
  readonly earliest: Date
  readonly latest: Date
}

const TOLD = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(T.+)?)?)?$/

/** Reads `2021`, `2021-03`, `2021-03-05` or a date and time, in UTC; undefined when it is none. */
export function readTime(text: string | null): ToldTime | undefined {
  const match = text === null ? null : TOLD.exec(text.trim())
  if (!match) return undefined
  const [whole, year, month, day, time] = match
  if (time !== undefined) {
    const instant = new Date(whole)
    return isInstant(instant) ? { earliest: instant, latest: instant } : undefined
  }
  const first = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)] as const
  const earliest = utc(...first)
  if (month !== undefined && earliest.getUTCMonth() !== first[1]) return undefined
  const next =
    day !== undefined
      ? utc(first[0], first[1], first[2] + 1)
      : month !== undefined
        ? utc(first[0], first[1] + 1, 1)
        : utc(first[0] + 1, 0, 1)
  const latest = new Date(next.getTime() - 1)
  return isInstant(earliest) && isInstant(latest) ? { earliest, latest } : undefined
}

function utc(year: number, month: number, day: number): Date {
  const date = new Date(0)
  // Unlike Date.UTC, this takes years below 100 as they are.
  date.setUTCFullYear(year, month, day)
  return date
}

function isInstant(date: Date): boolean {
  return Number.isFinite(date.getTime())
}
