/** A figure beside that of the previous period. */
export interface Comparison {
  readonly current: number
  readonly previous_period: number
  /** In per cent; null where there was nothing before. */
  readonly delta_pct: number | null
  /** `UP` where both are equal. */
  readonly direction: 'UP' | 'DOWN'
}

export type Status = 'OK' | 'WARNING' | 'CRITICAL'

const WARNING_BELOW = 0.9
const CRITICAL_BELOW = 0.7

export function compare(current: number, previous: number): Comparison {
  return {
    current: rounded(current),
    previous_period: rounded(previous),
    delta_pct: previous === 0 ? null : Math.round(((current - previous) / previous) * 10_000) / 100,
    direction: current >= previous ? 'UP' : 'DOWN',
  }
}

/** Judged by its share of the target. */
export function statusOf(current: number, target: number | null): Status {
  if (target === null || target === 0) return 'OK'
  const share = current / target
  if (share < CRITICAL_BELOW) return 'CRITICAL'
  return share < WARNING_BELOW ? 'WARNING' : 'OK'
}

export function withTarget(comparison: Comparison, target: number | null) {
  return { ...comparison, target, status: statusOf(comparison.current, target) }
}

/** Four digits behind the point, which whole numbers keep as they are. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
