import type { Tx } from '../db/database.ts'
import { textArray } from '../db/literals.ts'
import { definePort } from '../ports.ts'

/** Usage sums up what a workspace used in a span of time. */
export interface SpanUsage {
  /** The place of its span among those asked for, from 0. */
  readonly span: number
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
  /**
   * Sums usage up over spans of time. Usage is kept by the hour: an hour belongs to the span in which it begins.
   * @param starts where spans begin, in ascending order; each ends where the next begins, the last at `end`
   */
  spans(
    tx: Tx,
    workspaceId: string,
    metrics: readonly string[],
    starts: readonly Date[],
    end: Date,
  ): Promise<SpanUsage[]>
}
export const usageLog = definePort<UsageLog>('core.usage-log')

export function createUsageLog(): UsageLog {
  return {
    async spans(tx, workspaceId, metrics, starts, end) {
      const [first] = starts
      if (!first) return []
      return tx<SpanUsage[]>`
        select
          width_bucket(usage.hour, ${textArray(starts.map(start => start.toISOString()))}::timestamptz[]) - 1 as span,
          usage.metric, usage.operation, sum(usage.input)::float8 as input, sum(usage.output)::float8 as output
        from core.usage as usage
        where usage.workspace_id = ${workspaceId}
          and usage.hour >= ${first}
          and usage.hour < ${end}
          and usage.metric = any (${textArray(metrics)}::text[])
        group by 1, usage.metric, usage.operation`
    },
  }
}
