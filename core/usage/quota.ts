import type { PlanLimits } from '../auth/plans.ts'
import type { Tx } from '../db/database.ts'

/** Identifies the workspace and account that a quota limits. */
export interface QuotaHolder {
  readonly workspaceId: string
  readonly accountId: string
}

/** Declares something that plans limit, in the manifest of the plugin it belongs to. */
export interface QuotaDefinition {
  /** Unique, a plural noun for people: `projects`. A third party's begins with `x_<plugin id>`. */
  readonly name: string
  /** Describes it to people in one sentence. */
  readonly description: string
  /** Gives the most that each plan allows; `unlimited` has no limit. */
  readonly limits: PlanLimits
  /** `account`: all workspaces of an account together, by the plan of its first one. `workspace` when left out. */
  readonly per?: 'workspace' | 'account'
  /**
   * Counts what there is at the moment, in the caller's transaction. One of `account` needs it, and counts rows that the transaction
   * sees: of tenant tables, all of an account's only in `database.system`. A quota without it is consumed: the kernel adds up
   * the amounts that `take` is called with in the running month (UTC).
   */
  count?(tx: Tx, holder: QuotaHolder): Promise<number>
}

/** Tells what a holder may have, and by which plan. */
export interface QuotaAllowance extends QuotaHolder {
  readonly plan: string
  readonly limit: number | null
}
