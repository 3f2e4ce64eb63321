import { plainArray, type Tx, textArray } from 'mneme/plugin'
import type { QuerySearches, SearchHour } from '../../search/contract.ts'
import type { Spans } from '../figures/period.ts'

/** Counts what happened; the figures beside `count` are those of searches, see `SearchHour`. */
interface Figures {
  readonly metric: string
  readonly count: number
  readonly zero: number
  readonly scored: number
  readonly scoreSum: number
}

export interface HourRow extends Figures {
  readonly hour: Date
}

export interface SpanFigures extends Figures {
  /** The place of its span among those asked for, from 0. */
  readonly span: number
}

export interface Progress {
  readonly rolledTo: Date
  readonly checkedAt: Date | null
}

export async function findProgress(tx: Tx, workspaceId: string, mode?: 'held'): Promise<Progress | undefined> {
  const [row] = await tx<{ rolled_to: Date; checked_at: Date | null }[]>`
    select progress.rolled_to, progress.checked_at
    from dashboard.progress
    where progress.workspace_id = ${workspaceId}
    ${mode === 'held' ? tx`for update` : tx``}`
  return row && { rolledTo: row.rolled_to, checkedAt: row.checked_at }
}

/** Begins to roll a workspace up; what another process began stays. */
export async function beginProgress(tx: Tx, workspaceId: string, from: Date): Promise<void> {
  await tx`
    insert into dashboard.progress (workspace_id, rolled_to)
    values (${workspaceId}, ${from})
    on conflict do nothing`
}

export async function setRolledTo(tx: Tx, workspaceId: string, rolledTo: Date): Promise<void> {
  await tx`
    update dashboard.progress
    set rolled_to = greatest(progress.rolled_to, ${rolledTo})
    where progress.workspace_id = ${workspaceId}`
}

export async function setCheckedAt(tx: Tx, workspaceId: string, checkedAt: Date): Promise<void> {
  await tx`
    update dashboard.progress
    set checked_at = ${checkedAt}
    where progress.workspace_id = ${workspaceId}`
}

/** The next workspaces whose dashboard somebody has looked at, in ascending order of id. */
export async function watchedWorkspaces(tx: Tx, after: string, limit: number): Promise<string[]> {
  const rows = await tx<{ workspace_id: string }[]>`
    -- across workspaces: a cron rolls up those of all of them
    select progress.workspace_id
    from dashboard.progress
    where progress.workspace_id > ${after}
    order by progress.workspace_id
    limit ${limit}`
  return rows.map(row => row.workspace_id)
}

/** Puts the figures of `[from, to)` in place of what was there: repeating it changes nothing. */
export async function replaceHours(
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
  rows: readonly HourRow[],
): Promise<void> {
  await tx`
    delete from dashboard.hour
    where hour.workspace_id = ${workspaceId} and hour.hour >= ${from} and hour.hour < ${to}`
  if (rows.length === 0) return
  await tx`
    insert into dashboard.hour (workspace_id, metric, hour, count, zero, scored, score_sum)
    select ${workspaceId}::uuid, new.metric, new.hour, new.count, new.zero, new.scored, new."scoreSum"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (
      metric text, hour timestamptz, count integer, zero integer, scored integer, "scoreSum" double precision
    )`
}

export async function replaceQueries(
  tx: Tx,
  workspaceId: string,
  day: string,
  rows: readonly QuerySearches[],
): Promise<void> {
  await tx`
    delete from dashboard.query_day
    where query_day.workspace_id = ${workspaceId} and query_day.day = ${day}::date`
  if (rows.length === 0) return
  await tx`
    insert into dashboard.query_day (workspace_id, day, query_hash, searches, zero, scored, score_sum)
    select ${workspaceId}::uuid, ${day}::date, new."queryHash", new.searches, new.zero, new.scored, new."scoreSum"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (
      "queryHash" text, searches integer, zero integer, scored integer, "scoreSum" double precision
    )`
}

export async function replaceCategories(
  tx: Tx,
  workspaceId: string,
  day: string,
  rows: readonly { readonly category: string | null; readonly count: number }[],
): Promise<void> {
  await tx`
    delete from dashboard.category_day
    where category_day.workspace_id = ${workspaceId} and category_day.day = ${day}::date`
  if (rows.length === 0) return
  await tx`
    insert into dashboard.category_day (workspace_id, day, category, count)
    select ${workspaceId}::uuid, ${day}::date, coalesce(new.category, ''), new.count
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (category text, count integer)`
}

/** Sums some metrics up over spans of time. */
export async function readSpans(
  tx: Tx,
  workspaceId: string,
  metrics: readonly string[],
  { starts, end }: Spans,
): Promise<SpanFigures[]> {
  const [first] = starts
  if (!first) return []
  return tx<SpanFigures[]>`
    select
      width_bucket(hour.hour, ${textArray(starts.map(start => start.toISOString()))}::timestamptz[]) - 1 as span,
      hour.metric, sum(hour.count)::float8 as count, sum(hour.zero)::float8 as zero,
      sum(hour.scored)::float8 as scored, sum(hour.score_sum) as "scoreSum"
    from dashboard.hour
    where hour.workspace_id = ${workspaceId}
      and hour.metric = any (${plainArray(metrics)}::text[])
      and hour.hour >= ${first}
      and hour.hour < ${end}
    group by 1, hour.metric`
}

/** The queries of some days, summed up; `to` is included. */
export async function readQueries(tx: Tx, workspaceId: string, from: string, to: string): Promise<QuerySearches[]> {
  return tx<QuerySearches[]>`
    select
      query_day.query_hash as "queryHash", sum(query_day.searches)::int as searches, sum(query_day.zero)::int as zero,
      sum(query_day.scored)::int as scored, sum(query_day.score_sum)::float8 as "scoreSum"
    from dashboard.query_day
    where query_day.workspace_id = ${workspaceId}
      and query_day.day between ${from}::date and ${to}::date
    group by query_day.query_hash`
}

export async function readCategories(
  tx: Tx,
  workspaceId: string,
  from: string,
  to: string,
): Promise<{ category: string; count: number }[]> {
  return tx<{ category: string; count: number }[]>`
    select category_day.category, sum(category_day.count)::int as count
    from dashboard.category_day
    where category_day.workspace_id = ${workspaceId}
      and category_day.day between ${from}::date and ${to}::date
    group by category_day.category`
}

/** The hour of searches as a row of the roll-up. */
export function searchHour({ hour, searches, zero, scored, scoreSum }: SearchHour): HourRow {
  return { metric: SEARCHES, hour, count: searches, zero, scored, scoreSum }
}

/** The metric under which hours of searches are kept; no kind of event has a name without a dot. */
export const SEARCHES = 'searches'
