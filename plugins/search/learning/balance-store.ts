import type { Tx } from 'mneme/plugin'
import type { Balance } from '../ranking/signal.ts'
import type { Effect } from './fit.ts'

/** The balance of a workspace and its origin. */
export interface BalanceRecord {
  /** Null stands for the default balance. */
  readonly balance: Balance | null
  readonly fittedAt: Date | null
  readonly signals: number
  readonly effect: Effect | null
  readonly checkedAt: Date | null
  readonly outcome: Outcome | null
  readonly learnsFrom: Date | null
}

/** The outcome of the last fit: kept, no better than the current balance, or too few queries. */
export type Outcome = 'KEPT' | 'NOT_BETTER' | 'TOO_FEW'

const NOTHING_LEARNED: BalanceRecord = {
  balance: null,
  fittedAt: null,
  signals: 0,
  effect: null,
  checkedAt: null,
  outcome: null,
  learnsFrom: null,
}

export async function readBalance(tx: Tx, workspaceId: string): Promise<BalanceRecord> {
  const [row] = await tx<(Omit<BalanceRecord, 'balance' | 'effect'> & Nullable<Balance> & Nullable<Effect>)[]>`
    select
      balance.recency, balance.priority, balance.fitted_at as "fittedAt", coalesce(balance.signals, 0) as signals,
      balance.effect_before as before, balance.effect_after as after, balance.effect_queries as queries,
      balance.checked_at as "checkedAt", balance.outcome, balance.learns_from as "learnsFrom"
    from search.balance
    where balance.workspace_id = ${workspaceId}`
  if (!row) return NOTHING_LEARNED
  const { recency, priority, before, after, queries, ...record } = row
  return {
    ...record,
    balance: recency === null || priority === null ? null : { recency, priority },
    effect: before === null || after === null || queries === null ? null : { before, after, queries },
  }
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null }

export interface FinishedFit {
  readonly outcome: Outcome
  /** Signals up to this instant were included. */
  readonly checkedAt: Date
  /** Present when the outcome is KEPT. */
  readonly kept?: { readonly balance: Balance; readonly effect: Effect; readonly signals: number }
}

/**
 * Writes the outcome of a fit of a workspace that still has signals. If the balance was reset meanwhile, the outcome is discarded, because
 * it was learned from earlier signals.
 */
export async function finishFit(tx: Tx, workspaceId: string, { outcome, checkedAt, kept }: FinishedFit): Promise<void> {
  await tx`
    insert into search.balance (workspace_id)
    select feedback.workspace_id
    from search.feedback
    where feedback.workspace_id = ${workspaceId}
    limit 1
    on conflict on constraint balance_pk do nothing`
  const learned = kept
    ? tx`
      , recency = ${kept.balance.recency},
      priority = ${kept.balance.priority},
      fitted_at = ${checkedAt},
      signals = ${kept.signals},
      effect_before = ${kept.effect.before},
      effect_after = ${kept.effect.after},
      effect_queries = ${kept.effect.queries}`
    : tx``
  await tx`
    update search.balance
    set checked_at = ${checkedAt},
      outcome = ${outcome}
      ${learned}
    where balance.workspace_id = ${workspaceId}
      and (balance.learns_from is null or balance.learns_from < ${checkedAt})`
}

/** Restores the default balance. Earlier signals still affect their queries, but no longer the balance. */
export async function resetBalance(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  await tx`
    insert into search.balance (workspace_id, learns_from)
    values (${workspaceId}, ${now})
    on conflict on constraint balance_pk do update
    set recency = null,
      priority = null,
      fitted_at = null,
      signals = null,
      effect_before = null,
      effect_after = null,
      effect_queries = null,
      checked_at = null,
      outcome = null,
      learns_from = excluded.learns_from`
}
