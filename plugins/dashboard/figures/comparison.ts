/** A figure beside that of the previous period. */
export interface Comparison {
  readonly current: number
  readonly previous_period: number
  /** In per cent; null where there is nothing to compare: the previous figure is 0, or there is none now. */
  readonly delta_pct: number | null
  /** `UP` where both are equal. */
  readonly direction: 'UP' | 'DOWN'
}

export type Status = 'OK' | 'WARNING' | 'CRITICAL'

const WARNING_BELOW = 0.9
const CRITICAL_BELOW = 0.7

/** @param current null, shown as 0, where nothing was measured */
export function compare(current: number | null, previous: number): Comparison {
  const shown = current ?? 0
  return {
    current: rounded(shown),
    previous_period: rounded(previous),
    delta_pct: current === null || previous === 0 ? null : Math.round(((current - previous) / previous) * 10_000) / 100,
    direction: shown >= previous ? 'UP' : 'DOWN',
  }
}

/** Compares a figure with the one before, and judges it by its share of the target. Where nothing was measured there is nothing to judge. */
export function judge(current: number | null, previous: number, target: number | null) {
  return { ...compare(current, previous), target, status: statusOf(current, target) }
}

function statusOf(current: number | null, target: number | null): Status {
  if (current === null || target === null || target === 0) return 'OK'
  const share = current / target
  if (share < CRITICAL_BELOW) return 'CRITICAL'
  return share < WARNING_BELOW ? 'WARNING' : 'OK'
}

/** Four digits behind the point, which whole numbers keep as they are. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
