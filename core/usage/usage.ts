import type { Tx } from '../db/database.ts'

/** Counts what workspaces use. Counters are kept in memory and written every second in one statement. */
export interface UsageMeter {
  /**
   * Records tokens that a model read or wrote for a workspace.
   * `operation`: `embedding`, `enrichment`, `writing`, `query` …
   */
  tokens(workspaceId: string, operation: string, input: number, output?: number): void
  /**
   * Records tokens in the caller's transaction, a tenant's own or a system one, for what that transaction writes: they count exactly
   * once if it commits, whatever becomes of the process, and else not. Until it ends, others who record for the workspace wait, so
   * call it late.
   */
  tokensIn(tx: Tx, workspaceId: string, operation: string, input: number, output?: number): Promise<void>
  /** Records one API request. */
  request(workspaceId: string): void
}

/** An amount that a workspace used. */
export interface Use {
  readonly metric: string
  /** Empty for what is not counted by operation. */
  readonly operation?: string
  readonly input: number
  readonly output?: number
}

/** Adds to the workspace's usage of this hour in the caller's transaction, so that it counts once if that commits, and else not. */
export async function recordUse(
  tx: Tx,
  workspaceId: string,
  { metric, operation = '', input, output = 0 }: Use,
): Promise<void> {
  await tx`
    insert into core.usage as usage (workspace_id, hour, metric, operation, input, output)
    values (${workspaceId}, date_trunc('hour', now(), 'UTC'), ${metric}, ${operation}, ${input}, ${output})
    on conflict (workspace_id, hour, metric, operation) do update
    set input = usage.input + excluded.input, output = usage.output + excluded.output`
}

/** Maps a metric to what a workspace used of it in the running month (UTC); absent metrics were not used. */
export type MonthUsage = Readonly<Record<string, number>>

/** Sums up what is written of a workspace's use in the running month. */
export async function readMonth(tx: Tx, workspaceId: string): Promise<Record<string, number>> {
  const rows = await tx<{ metric: string; used: number }[]>`
    select usage.metric, sum(usage.input + usage.output)::float8 as used
    from core.usage as usage
    where usage.workspace_id = ${workspaceId}
      and usage.hour >= date_trunc('month', now(), 'UTC')
    group by usage.metric`
  return Object.fromEntries(rows.map(({ metric, used }) => [metric, used]))
}
