const DAY_MS = 86_400_000

/** A time as a text tells it: the first and the last instant it can mean. */
export interface ToldTime {
  readonly earliest: Date
  readonly latest: Date
}

/** An older ending does not concern a present relationship. */
export const RECENT_MS = 120 * DAY_MS
/** Other years are placeholders, as 0000 and 9999, which engines and databases read differently or not at all. */
const YEARS = { first: 1000, last: 2200 }

const TOLD = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(T.+)?)?)?$/

/** Reads `2021`, `2021-03`, `2021-03-05` or a date and time, in UTC; undefined when it is none, or of no year that anybody means. */
export function readTime(text: string | null): ToldTime | undefined {
  const match = text === null ? null : TOLD.exec(text.trim())
  if (!match) return undefined
  const [whole, year, month, day, time] = match
  if (Number(year) < YEARS.first || Number(year) > YEARS.last) return undefined
  if (time !== undefined) {
    const instant = new Date(whole)
    return Number.isNaN(instant.getTime()) ? undefined : { earliest: instant, latest: instant }
  }
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const earliest = new Date(Date.UTC(y, m, d))
  if (earliest.getUTCMonth() !== m) return undefined
  const next =
    day !== undefined ? Date.UTC(y, m, d + 1) : month !== undefined ? Date.UTC(y, m + 1, 1) : Date.UTC(y + 1, 0, 1)
  return { earliest, latest: new Date(next - 1) }
}

/** Tells whether a told time is still to come; a day ahead may be today elsewhere. */
export function isToCome(time: ToldTime | undefined, now: Date): boolean {
  return time !== undefined && time.earliest.getTime() > now.getTime() + DAY_MS
}
