import { DateTime, IANAZone } from 'luxon'
import { DAY_MS } from 'mneme/plugin'

/** No zone changes its clocks twice within so many days. */
const STEADY_MS = 7 * DAY_MS

/** Tells when dates, in ascending order, begin in a zone. It asks the calendar of the zone only near a change of its clocks. */
export function beginningsIn(zone: string): (date: Date) => Date {
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
