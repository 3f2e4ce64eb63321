import type { StatementCategory } from '../contract.ts'

/** What the facts and the words of a sentence say of its category. */
export interface Hints {
  /** How much they speak for a category, in the measure of likeness; the strongest comes first. */
  readonly weights: ReadonlyMap<StatementCategory, number>
  /** The facts leave no other categories than these. */
  readonly areAll: boolean
}

/** Files a sentence without knowing what it is like. */
export function filedByHints({ weights }: Hints): StatementCategory {
  return weights.keys().next().value ?? 'general'
}
