import type { Tx } from 'mneme/plugin'
import type { Balance } from '../ranking/rank.ts'
import type { Effect } from './fit.ts'

/** A workspace's balance and how it came about. */
export interface BalanceRecord {
  /** Null: the default. */
  readonly balance: Balance | null
  readonly fittedAt: Date | null
  readonly signals: number
  readonly effect: Effect | null
  readonly checkedAt: Date | null
  readonly outcome: Outcome | null
  readonly learnsFrom: Date | null
}

/** Whether the last fit was kept, was no better than what there was, or had too few queries to go by. */
export type Outcome = 'KEPT' | 'NOT_BETTER' | 'TOO_FEW'

interface BalanceRow {
  recency: number | null
  priority: number | null
  fitted_at: Date | null
  signals: number | null
  effect_before: number | null
  effect_after: number | null
  effect_queries: number | null
  checked_at: Date | null
  outcome: Outcome | null
  learns_from: Date | null
}

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
  const [row] = await tx<BalanceRow[]>`
    select
      balance.recency, balance.priority, balance.fitted_at, balance.signals, balance.effect_before, balance.effect_after,
      balance.effect_queries, balance.checked_at, balance.outcome, balance.learns_from
    from search.balance
    where balance.workspace_id = ${workspaceId}`
  return row ? toRecord(row) : NOTHING_LEARNED
}

function toRecord(row: BalanceRow): BalanceRecord {
  const { recency, priority, effect_before: before, effect_after: after, effect_queries: queries } = row
  return {
    balance: recency === null || priority === null ? null : { recency, priority },
    fittedAt: row.fitted_at,
    signals: row.signals ?? 0,
    effect: before === null || after === null || queries === null ? null : { before, after, queries },
    checkedAt: row.checked_at,
    outcome: row.outcome,
    learnsFrom: row.learns_from,
  }
}

/**
 * Takes a workspace with signals for a fit, so that no two servers are at it at once. A claim that its server did not end runs
 * out.
 *
 * @returns whether it was free
 */
export async function claimBalance(tx: Tx, workspaceId: string, now: Date, forMs: number): Promise<boolean> {
  const rows = await tx`
    insert into search.balance (workspace_id, claimed_until)
    select ${workspaceId}::uuid, ${new Date(now.getTime() + forMs)}::timestamptz
    where exists (
      select
      from search.feedback
      where feedback.workspace_id = ${workspaceId}
    )
    on conflict on constraint balance_pk do update
    set claimed_until = excluded.claimed_until
    where balance.claimed_until is null
      or balance.claimed_until < ${now}
    returning balance.workspace_id`
  return rows.length > 0
}

/** Gives a workspace back as it was: its fit did not come to an end. */
export async function releaseBalance(tx: Tx, workspaceId: string): Promise<void> {
  await tx`
    update search.balance
    set claimed_until = null
    where balance.workspace_id = ${workspaceId}`
}

export interface FinishedFit {
  readonly outcome: Outcome
  /** Signals that came until then were seen. */
  readonly checkedAt: Date
  /** Given when the outcome is KEPT. */
  readonly kept?: { readonly balance: Balance; readonly effect: Effect; readonly signals: number }
}

/**
 * Ends a claim with its outcome. A reset since the fit began wins: what was learned from signals of before is dropped.
 */
export async function finishFit(tx: Tx, workspaceId: string, { outcome, checkedAt, kept }: FinishedFit): Promise<void> {
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
    set claimed_until = null,
      checked_at = ${checkedAt},
      outcome = ${outcome}
      ${learned}
    where balance.workspace_id = ${workspaceId}
      and (balance.learns_from is null or balance.learns_from < ${checkedAt})`
}

/** Back to the default; what was signalled so far moves its queries, and the balance no more. */
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
      learns_from = excluded.learns_from,
      claimed_until = null`
}
