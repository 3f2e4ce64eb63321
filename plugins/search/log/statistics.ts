import { plainArray, type Tx } from 'mneme/plugin'
import type { QueryLimits, QuerySearches, SearchHour, SearchStatistics } from '../contract.ts'
import type { WorkspaceLanguages } from '../languages/workspace-languages.ts'
import { emptySearches } from './empty-searches.ts'

/** Figures of the log of searches, for other plugins. */
export function createSearchStatistics(languages: Pick<WorkspaceLanguages, 'ofQuery'>): SearchStatistics {
  return {
    hourly,
    byQuery,
    texts,
    beginning,
    emptySearches: (tenant, queryHashes) => emptySearches(languages, tenant, queryHashes),
  }
}

/** The columns that sum up logged searches. */
const sums = (tx: Tx) => tx`
  count(*)::int as searches,
  count(*) filter (where query_log.results = 0)::int as zero,
  count(query_log.best_score)::int as scored,
  coalesce(sum(query_log.best_score), 0)::float8 as "scoreSum"`

function hourly(tx: Tx, workspaceId: string, from: Date, to: Date): Promise<SearchHour[]> {
  return tx<SearchHour[]>`
    select date_trunc('hour', query_log.created_at, 'UTC') as hour, ${sums(tx)}
    from search.query_log
    where query_log.workspace_id = ${workspaceId}
      and query_log.created_at >= ${from}
      and query_log.created_at < ${to}
    group by 1`
}

function byQuery(
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
  { frequent, zero, weak }: QueryLimits,
): Promise<QuerySearches[]> {
  return tx<QuerySearches[]>`
    with known as materialized (
      select query_log.query_hash as "queryHash", ${sums(tx)}
      from search.query_log
      where query_log.workspace_id = ${workspaceId}
        and query_log.created_at >= ${from}
        and query_log.created_at < ${to}
      group by query_log.query_hash
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
}

async function texts(
  tx: Tx,
  workspaceId: string,
  queryHashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (queryHashes.length === 0) return new Map()
  const rows = await tx<{ query_hash: string; query: string }[]>`
    select wanted.query_hash, newest.query
    from unnest(${plainArray(queryHashes)}::text[]) as wanted (query_hash)
    cross join lateral (
      select query_log.query
      from search.query_log
      where query_log.workspace_id = ${workspaceId}
        and query_log.query_hash = wanted.query_hash
        and query_log.has_text
      order by query_log.created_at desc
      limit 1
    ) as newest`
  return new Map(rows.map(row => [row.query_hash, row.query.trim().replace(/\s+/g, ' ')]))
}

async function beginning(tx: Tx, workspaceId: string): Promise<Date | undefined> {
  const [row] = await tx<{ created_at: Date }[]>`
    select query_log.created_at
    from search.query_log
    where query_log.workspace_id = ${workspaceId}
    order by query_log.created_at
    limit 1`
  return row?.created_at
}
