import type { Tx } from '../db/database.ts'
import { definePort } from '../ports.ts'

/** Usage of a workspace on a day (UTC). */
export interface DayUsage {
  /** `YYYY-MM-DD` */
  readonly day: string
  /** `requests` or `tokens`, or a quota of a plugin that is counted by the month. */
  readonly metric: string
  /** The operation that used tokens; empty for other metrics. */
  readonly operation: string
  /** Tokens read, or requests. */
  readonly input: number
  /** Tokens written. */
  readonly output: number
}

/** Reads what workspaces used, in the caller's transaction. Counts of the last second may be missing. */
export interface UsageLog {
  /** The days from `from` to `to`, both included and given as `YYYY-MM-DD`. */
  daily(tx: Tx, workspaceId: string, from: string, to: string): Promise<DayUsage[]>
}
export const usageLog = definePort<UsageLog>('core.usage-log')

export function createUsageLog(): UsageLog {
  return {
    daily: (tx, workspaceId, from, to) => tx<DayUsage[]>`
      select usage.day::text as day, usage.metric, usage.operation, usage.input, usage.output
      from core.usage
      where usage.workspace_id = ${workspaceId}
        and usage.day between ${from}::date and ${to}::date`,
  }
}
