import { insertRows, plainArray, type Tx } from 'mneme/plugin'
import type { QueryLimits, QuerySearches } from '../../search/contract.ts'
import type { DayParts, DaySpan } from '../figures/period.ts'
import type { RollUpMode } from './progress.ts'

/** Queries that are kept of a day, of a third of a month and of a month. */
export const QUERIES_KEPT: QueryLimits = { frequent: 200, zero: 100, weak: 100 }

/** The queries of a period, from where they are kept. */
export interface QueryPeriod {
  readonly parts: DayParts
  /** Holds what is not rolled up yet. */
  readonly live: readonly QuerySearches[]
}

/** Puts the queries of a day in place of those that were there. */
export async function replaceQueries(
  tx: Tx,
  workspaceId: string,
  day: string,
  rows: readonly QuerySearches[],
  mode: RollUpMode,
): Promise<void> {
  if (mode === 'replaced') {
    await tx`
      delete from dashboard.query_day
      where query_day.workspace_id = ${workspaceId} and query_day.day = ${day}::date`
  }
  if (rows.length === 0) return
  await insertRows(
    tx,
    rows,
    ({ queryHash, searches, zero, scored, scoreSum }) =>
      tx`(${workspaceId}, ${day}::date, ${queryHash}, ${searches}, ${zero}, ${scored}, ${scoreSum})`,
    values => tx`
      insert into dashboard.query_day (workspace_id, day, query_hash, searches, zero, scored, score_sum)
      values ${values}
      on conflict (workspace_id, day, query_hash) do update
      set
        searches = excluded.searches, zero = excluded.zero, scored = excluded.scored, score_sum = excluded.score_sum
      where excluded.searches > query_day.searches`,
  )
}

/** Sums the queries of a span's days up, in place of what was there. */
export async function replaceSpan(tx: Tx, workspaceId: string, { size, first, end }: DaySpan): Promise<void> {
  await tx`
    delete from dashboard.query_span
    where query_span.workspace_id = ${workspaceId}
      and query_span.size = ${size}
      and query_span.first_day = ${first}::date`
  const { frequent, zero, weak } = QUERIES_KEPT
  const chosen = await tx<QuerySearches[]>`
    with known as materialized (
      select
        query_day.query_hash as "queryHash", sum(query_day.searches)::int as searches, sum(query_day.zero)::int as zero,
        sum(query_day.scored)::int as scored, sum(query_day.score_sum)::float8 as "scoreSum"
      from dashboard.query_day
      where query_day.workspace_id = ${workspaceId} and query_day.day >= ${first}::date and query_day.day < ${end}::date
      group by query_day.query_hash
    )
    (select known.* from known order by known.searches desc, known."queryHash" limit ${frequent})
    union
    (select known.* from known where known.zero > 0 order by known.zero desc, known."queryHash" limit ${zero})
    union
    (
      select known.*
      from known
      where known.scored > 0
      order by known."scoreSum" / known.scored, known."queryHash"
      limit ${weak}
    )`
  await insertRows(
    tx,
    chosen,
    query => tx`(
      ${workspaceId}, ${size}, ${first}::date, ${query.queryHash}, ${query.searches}, ${query.zero}, ${query.scored}, ${query.scoreSum}
    )`,
    values => tx`
      insert into dashboard.query_span (workspace_id, size, first_day, query_hash, searches, zero, scored, score_sum)
      values ${values}`,
  )
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

function summed(tx: Tx, workspaceId: string, { parts, live }: QueryPeriod) {
  return tx`
    select
      part.query_hash as "queryHash", sum(part.searches)::int as searches, sum(part.zero)::int as zero,
      sum(part.scored)::int as scored, sum(part.score_sum)::float8 as "scoreSum"
    from (
      select query_day.query_hash, query_day.searches, query_day.zero, query_day.scored, query_day.score_sum
      from dashboard.query_day
      where query_day.workspace_id = ${workspaceId} and query_day.day = any (${plainArray(parts.days)}::date[])
      union all
      select query_span.query_hash, query_span.searches, query_span.zero, query_span.scored, query_span.score_sum
      from dashboard.query_span
      where query_span.workspace_id = ${workspaceId}
        and query_span.size = 'third'
        and query_span.first_day = any (${plainArray(parts.thirds)}::date[])
      union all
      select query_span.query_hash, query_span.searches, query_span.zero, query_span.scored, query_span.score_sum
      from dashboard.query_span
      where query_span.workspace_id = ${workspaceId}
        and query_span.size = 'month'
        and query_span.first_day = any (${plainArray(parts.months)}::date[])
      union all
      select live."queryHash", live.searches, live.zero, live.scored, live."scoreSum"
      from jsonb_to_recordset(${JSON.stringify(live)}::text::jsonb) as live (
        "queryHash" text, searches integer, zero integer, scored integer, "scoreSum" double precision
      )
    ) as part
    group by part.query_hash`
}
