import type { Tx } from '../db/database.ts'

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
