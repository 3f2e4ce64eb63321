import type { StatementCategory } from '../contract.ts'

/** The facts and the words of a sentence say something of its category. */
export interface Hints {
  /** They speak for each category as much as a likeness of this size does; the strongest comes first. */
  readonly weights: ReadonlyMap<StatementCategory, number>
  /** The facts leave no other categories than these. */
  readonly areAll: boolean
}

/** Files a sentence without knowing what it is like. */
export function filedByHints({ weights }: Hints): StatementCategory {
  return weights.keys().next().value ?? 'general'
}
