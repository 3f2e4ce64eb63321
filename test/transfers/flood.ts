import type { ByteBudget } from '../../core/fair/byte-budget.ts'

/** Takes all that a holder can get, a body at a time. */
export function flood(budget: ByteBudget, holder: string, bytes: number): number {
  let held = 0
  while (budget.reserve(holder, bytes)) held += bytes
  return held
}
