import type { Evidence } from './evidence.ts'

/** For each place the instant of the soonest statement from there on. */
export function soonestFrom(rows: readonly Evidence[]): number[] {
  let soonest = Number.POSITIVE_INFINITY
  return rows
    .toReversed()
    .map(({ statedAt }) => {
      soonest = Math.min(soonest, statedAt.getTime())
      return soonest
    })
    .reverse()
}

export function statedAtOf(evidence: readonly Evidence[]): Date[] {
  return evidence.map(one => one.statedAt)
}

export function firstOf(dates: readonly (Date | null)[]): Date | null {
  return dates.find(date => date !== null) ?? null
}

export function earliest(dates: readonly (Date | null | undefined)[]): Date | null {
  return dates.reduce<Date | null>((best, date) => (date && (!best || date < best) ? date : best), null)
}

export function latest(dates: readonly (Date | null)[]): Date | null {
  return dates.reduce<Date | null>((best, date) => (date && (!best || date > best) ? date : best), null)
}

/** The end to come that some statements of what holds tell; none where one of them was made after it. */
export function toldEnd(openings: readonly Evidence[]): Date | null {
  const end = latest(openings.map(one => one.validTo))
  return end && openings.every(one => one.statedAt < end) ? end : null
}
