import { plainArray, type Tenant, type Tx, textArray } from 'mneme/plugin'
import { parseQuery, type Query } from '../analysis/parse-query.ts'
import { toKeywordTsquery } from '../analysis/tsquery.ts'
import type { QueryLimits, QuerySearches, SearchHour, SearchStatistics } from '../contract.ts'
import { lexemePrefix } from '../engine/postgres/prefix.ts'
import type { WorkspaceLanguages } from '../languages/workspace-languages.ts'

/** Figures of the log of searches, for other plugins. */
export function createSearchStatistics(languages: Pick<WorkspaceLanguages, 'ofQuery'>): SearchStatistics {
  return { hourly, byQuery, texts, beginning, held: (tenant, queries) => held(languages, tenant, queries) }
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
      order by query_log.created_at desc
      limit 1
    ) as newest`
  return new Map(rows.map(row => [row.query_hash, row.query]))
}

/** Reads a query as the modes do: a hyphen before a word excludes it in keyword mode alone. */
function readings(query: string, languages: readonly string[]): Query[] {
  const byKeyword = parseQuery(query, { languages })
  const excluded = byKeyword.clauses.filter(clause => clause.excluded).length
  if (excluded === 0) return [byKeyword]
  const asText = parseQuery(query, { languages, exclusions: false })
  // Exclusions alone name nothing to look up, and the index would be read from end to end for them.
  return excluded === byKeyword.clauses.length ? [asText] : [byKeyword, asText]
}

async function held(
  languages: Pick<WorkspaceLanguages, 'ofQuery'>,
  tenant: Tenant,
  queries: readonly string[],
): Promise<ReadonlySet<string>> {
  const { workspaceId } = tenant
  const wanted: { query: string; words: string }[] = []
  for (const query of new Set(queries)) {
    const asked = await languages.ofQuery(tenant, query)
    for (const parsed of readings(query, asked)) {
      const words = toKeywordTsquery(parsed, lexemePrefix(workspaceId))
      if (words !== null) wanted.push({ query, words })
    }
  }
  if (wanted.length === 0) return new Set()
  const rows = await tenant.transaction(
    tx => tx<{ query: string }[]>`
      select wanted.query
      from unnest(
        ${textArray(wanted.map(({ query }) => query))}::text[],
        ${textArray(wanted.map(({ words }) => words))}::tsquery[]
      ) as wanted (query, words)
      cross join lateral (
        select
        from search.own_document as d
        where d.workspace_id is not distinct from ${workspaceId}
          and d.words @@ wanted.words
          and (d.expires_at is null or d.expires_at > now())
        limit 1
      ) as holding`,
  )
  return new Set(rows.map(({ query }) => query))
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
