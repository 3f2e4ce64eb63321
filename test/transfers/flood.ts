import type { SharedByteBudget } from '../../core/http/shared-byte-budget.ts'

/** Takes all that a holder can get, a body at a time. */
export function flood(budget: SharedByteBudget, holder: string, bytes: number): number {
  let held = 0
  while (budget.reserve(holder, bytes)) held += bytes
  return held
}
