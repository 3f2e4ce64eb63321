import type { Tx } from 'mneme/plugin'
import type { QuerySearches } from '../../search/contract.ts'

/** Queries that are kept of a whole month, the most frequent ones. */
export const QUERIES_A_MONTH = 1000

/** The queries of a period, from where they are kept: days from `from` to `to`, whole months within by themselves. */
export interface QueryPeriod {
  /** The first and the last day (UTC). */
  readonly from: string
  readonly to: string
  /** The days from the first to before the second are read by months; both are the first of a month, or the same day if there is none. */
  readonly months: readonly [string, string]
  /** Holds what is not rolled up yet. */
  readonly live: readonly QuerySearches[]
}

/** Puts the queries of a day in place of those that were there. */
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

/**
 * Sums the queries of a month's days up, in place of what was there.
 *
 * @param month its first day
 */
export async function replaceMonth(tx: Tx, workspaceId: string, month: string): Promise<void> {
  await tx`
    delete from dashboard.query_month
    where query_month.workspace_id = ${workspaceId} and query_month.month = ${month}::date`
  await tx`
    insert into dashboard.query_month (workspace_id, month, query_hash, searches, zero, scored, score_sum)
    select
      ${workspaceId}::uuid, ${month}::date, query_day.query_hash, sum(query_day.searches), sum(query_day.zero),
      sum(query_day.scored), sum(query_day.score_sum)
    from dashboard.query_day
    where query_day.workspace_id = ${workspaceId}
      and query_day.day >= ${month}::date
      and query_day.day < ${month}::date + interval '1 month'
    group by query_day.query_hash
    order by sum(query_day.searches) desc, query_day.query_hash
    limit ${QUERIES_A_MONTH}`
}

/** The most frequent queries, with the number of all. */
export async function readTopQueries(
  tx: Tx,
  workspaceId: string,
  period: QueryPeriod,
  limit: number,
): Promise<{ readonly queries: readonly QuerySearches[]; readonly total: number }> {
  const rows = await tx<(QuerySearches & { total: number })[]>`
    with known as (${summed(tx, workspaceId, period)})
    select known.*, count(*) over ()::int as total
    from known
    order by known.searches desc, known."queryHash" collate "C"
    limit ${limit}`
  return { queries: rows, total: rows[0]?.total ?? 0 }
}

/** The queries whose results are weakest, and those that had none most often. */
export async function readBadQueries(
  tx: Tx,
  workspaceId: string,
  period: QueryPeriod,
  { weakBelow, limit }: { readonly weakBelow: number; readonly limit: number },
): Promise<{ readonly worst: readonly QuerySearches[]; readonly zero: readonly QuerySearches[] }> {
  const rows = await tx<(QuerySearches & { list: 'worst' | 'zero' })[]>`
    with known as materialized (${summed(tx, workspaceId, period)})
    (
      select known.*, 'worst' as list
      from known
      where known.scored > 0 and known."scoreSum" < ${weakBelow}::float8 * known.scored
      order by known."scoreSum" / known.scored, known.searches desc, known."queryHash" collate "C"
      limit ${limit}
    )
    union all
    (
      select known.*, 'zero' as list
      from known
      where known.zero > 0
      order by known.zero desc, known."queryHash" collate "C"
      limit ${limit}
    )`
  return { worst: rows.filter(({ list }) => list === 'worst'), zero: rows.filter(({ list }) => list === 'zero') }
}

function summed(tx: Tx, workspaceId: string, { from, to, months: [first, end], live }: QueryPeriod) {
  return tx`
    select
      part.query_hash as "queryHash", sum(part.searches)::int as searches, sum(part.zero)::int as zero,
      sum(part.scored)::int as scored, sum(part.score_sum)::float8 as "scoreSum"
    from (
      select query_day.query_hash, query_day.searches, query_day.zero, query_day.scored, query_day.score_sum
      from dashboard.query_day
      where query_day.workspace_id = ${workspaceId} and query_day.day >= ${from}::date and query_day.day < ${first}::date
      union all
      select query_month.query_hash, query_month.searches, query_month.zero, query_month.scored, query_month.score_sum
      from dashboard.query_month
      where query_month.workspace_id = ${workspaceId}
        and query_month.month >= ${first}::date
        and query_month.month < ${end}::date
      union all
      select query_day.query_hash, query_day.searches, query_day.zero, query_day.scored, query_day.score_sum
      from dashboard.query_day
      where query_day.workspace_id = ${workspaceId} and query_day.day >= ${end}::date and query_day.day <= ${to}::date
      union all
      select live."queryHash", live.searches, live.zero, live.scored, live."scoreSum"
      from jsonb_to_recordset(${JSON.stringify(live)}::text::jsonb) as live (
        "queryHash" text, searches integer, zero integer, scored integer, "scoreSum" double precision
      )
    ) as part
    group by part.query_hash`
}
