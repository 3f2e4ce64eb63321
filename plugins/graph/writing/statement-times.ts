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

/** The end to come that was told last of what holds; none where a statement of a time after it says that it goes on. */
export function toldEnd(openings: readonly Evidence[]): Date | null {
  const stated = openings.toSorted((a, b) => a.statedAt.getTime() - b.statedAt.getTime())
  const end = stated.findLast(one => one.validTo !== null)?.validTo ?? null
  const goesOn = (end: Date) => openings.some(one => !one.validTo && (one.effectiveAt ?? one.statedAt) >= end)
  return end && goesOn(end) ? null : end
}
