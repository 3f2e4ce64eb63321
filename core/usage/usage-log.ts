import type { Tx } from '../db/database.ts'
import { plainArray, textArray } from '../db/literals.ts'
import { definePort } from '../ports.ts'
import { type MonthUsage, readMonth } from './usage.ts'
import type { BufferedUsageMeter } from './usage-meter.ts'

/** Tells what a workspace used in an hour. */
export interface UsageHour {
  /** Its first instant. */
  readonly hour: Date
  /** `requests` or `tokens`, or a quota of a plugin that is counted by the month. */
  readonly metric: string
  /** The operation that used tokens; empty for other metrics. */
  readonly operation: string
  /** Tokens read, or requests. */
  readonly input: number
  /** Tokens written. */
  readonly output: number
}

/** Tells whether a workspace used anything since an instant. */
export interface WorkspaceUse {
  readonly workspaceId: string
  readonly isActive: boolean
}

/** Reads what workspaces used, in the caller's transaction. Counts of the last second may be missing. */
export interface UsageLog {
  /** The usage of the hours that begin in `[from, to)`. An hour that is over no longer changes once its transactions have ended. */
  hourly(tx: Tx, workspaceId: string, metrics: readonly string[], from: Date, to: Date): Promise<UsageHour[]>
  /** The usage of the running month (UTC), by metric; absent metrics were not used. */
  month(tx: Tx, workspaceId: string): Promise<MonthUsage>
  /** Writes what this process has counted, so that a transaction that begins now reads it. */
  flush(): Promise<void>
  /** The first hour that is kept; undefined without one. */
  beginning(tx: Tx, workspaceId: string): Promise<Date | undefined>
  /** The next `most` workspaces after one that ever used anything, in ascending order of id. For a transaction of the system. */
  workspaces(tx: Tx, after: string, most: number, since: Date): Promise<WorkspaceUse[]>
}
export const usageLog = definePort<UsageLog>('core.usage-log')

export function createUsageLog(meter: Pick<BufferedUsageMeter, 'flush'>): UsageLog {
  const flush = async () => {
    // A flush under way may have begun before the latest counts; without any left the second one does nothing.
    await meter.flush()
    await meter.flush()
  }
  return { hourly, month: readMonth, flush, beginning, workspaces }
}

async function hourly(
  tx: Tx,
  workspaceId: string,
  metrics: readonly string[],
  from: Date,
  to: Date,
): Promise<UsageHour[]> {
  return tx<UsageHour[]>`
    select usage.hour, usage.metric, usage.operation, usage.input::float8 as input, usage.output::float8 as output
    from core.usage as usage
    where usage.workspace_id = ${workspaceId}
      and usage.hour >= ${from}
      and usage.hour < ${to}
      and usage.metric = any (${textArray(metrics)}::text[])`
}

async function beginning(tx: Tx, workspaceId: string): Promise<Date | undefined> {
  const [row] = await tx<{ hour: Date }[]>`
    select usage.hour
    from core.usage as usage
    where usage.workspace_id = ${workspaceId}
    order by usage.hour
    limit 1`
  return row?.hour
}

async function workspaces(tx: Tx, after: string, most: number, since: Date): Promise<WorkspaceUse[]> {
  const seen = await tx<{ id: string }[]>`
    select seen.id from core.workspaces_in('core.usage', ${after}, ${most}) as seen (id)`
  const rows = await tx<{ id: string }[]>`
    -- across workspaces: the system looks for those that are in use
    select distinct usage.workspace_id as id from core.usage
    where usage.workspace_id = any (${plainArray(seen.map(({ id }) => id))}::uuid[]) and usage.hour >= ${since}`
  const active = new Set(rows.map(({ id }) => id))
  return seen.map(({ id }) => ({ workspaceId: id, isActive: active.has(id) }))
}
