import { plainArray, type Tenant, type Tx, textArray } from 'mneme/plugin'
import type { SearchMode } from '../../memories/contract.ts'
import { lexemePrefix, toAnyTsquery, toKeywordTsquery } from '../analysis/tsvector.ts'
import type { EmptySearch, QueryLimits, QuerySearches, SearchHour, SearchStatistics } from '../contract.ts'
import type { WorkspaceLanguages } from '../languages/workspace-languages.ts'
import { planQuery, type QueryPlan } from '../query/plan.ts'

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

interface LoggedEmpty {
  readonly queryHash: string
  readonly query: string
  readonly mode: SearchMode
  readonly isFiltered: boolean | null
  /** The log has a search of the query in the same mode that shows that it finds memories without its filters, or by now. */
  readonly isFound: boolean
}

/** A reading of a logged query, to be looked up in the index of words. */
interface Reading {
  readonly queryHash: string
  readonly kind: 'asked' | 'unexcluded'
  readonly words: string | null
}

/** Reads the newest search without a result of each query, and whether memories hold now what it asks for, by its mode's own rule. */
export async function emptySearches(
  languages: Pick<WorkspaceLanguages, 'ofQuery'>,
  tenant: Tenant,
  queryHashes: readonly string[],
): Promise<ReadonlyMap<string, EmptySearch>> {
  if (queryHashes.length === 0) return new Map()
  const logged = await tenant.transaction(tx => newestEmpty(tx, tenant.workspaceId, queryHashes))
  const plans = new Map<string, QueryPlan>()
  for (const search of logged)
    plans.set(search.queryHash, planQuery(search, await languages.ofQuery(tenant, search.query)))
  const prefix = lexemePrefix(tenant.workspaceId)
  const readings = [...plans].flatMap(([queryHash, plan]) => readingsOf(queryHash, plan, prefix))
  const held = await tenant.transaction(tx => heldReadings(tx, tenant.workspaceId, readings))
  return new Map(
    logged.map(({ queryHash, mode, isFiltered, isFound }) => {
      const matchesNow = isFound || held.has(`${queryHash} asked`)
      const isExcluded = isExcluding(plans.get(queryHash)) && !matchesNow && isHeldOtherwise(queryHash, readings, held)
      return [queryHash, { mode, isFiltered, matchesNow, isExcluded }]
    }),
  )
}

function newestEmpty(tx: Tx, workspaceId: string, queryHashes: readonly string[]): Promise<LoggedEmpty[]> {
  return tx<LoggedEmpty[]>`
    select
      wanted.query_hash as "queryHash", newest.query, newest.mode, newest.is_filtered as "isFiltered",
      exists (
        select
        from search.query_log as other
        where other.workspace_id = ${workspaceId}
          and other.query_hash = wanted.query_hash
          and other.mode = newest.mode
          and other.results > 0
          and (other.created_at > newest.created_at or (newest.is_filtered and other.is_filtered is false))
      ) as "isFound"
    from unnest(${textArray(queryHashes)}::text[]) as wanted (query_hash)
    cross join lateral (
      select
        query_log.query, query_log.mode, query_log.created_at,
        coalesce(query_log.is_filtered, case when query_log.user_id is not null then true end) as is_filtered
      from search.query_log
      where query_log.workspace_id = ${workspaceId}
        and query_log.query_hash = wanted.query_hash
        and query_log.has_text
        and query_log.results = 0
      order by query_log.created_at desc
      limit 1
    ) as newest`
}

function isExcluding(plan: QueryPlan | undefined): boolean {
  return plan?.query.clauses.some(({ excluded }) => excluded) ?? false
}

function readingsOf(queryHash: string, { match, query, terms, variants }: QueryPlan, prefix: string): Reading[] {
  if (match === 'any') {
    const stems = terms.flatMap(term => [term, ...(variants.get(term) ?? [])])
    return [{ queryHash, kind: 'asked', words: toAnyTsquery(stems, prefix) }]
  }
  const wanted = query.clauses.filter(({ excluded }) => !excluded)
  // The index would be read from end to end for exclusions alone.
  const asked = wanted.length > 0 ? toKeywordTsquery(query, prefix) : null
  return [
    { queryHash, kind: 'asked', words: asked },
    { queryHash, kind: 'unexcluded', words: toKeywordTsquery({ clauses: wanted }, prefix) },
  ]
}

/** Tells whether memories hold what remains of a query without its exclusions; they all do where nothing remains. */
function isHeldOtherwise(queryHash: string, readings: readonly Reading[], held: ReadonlySet<string>): boolean {
  const reading = readings.find(one => one.queryHash === queryHash && one.kind === 'unexcluded')
  return reading?.words === null || held.has(`${queryHash} unexcluded`)
}

async function heldReadings(tx: Tx, workspaceId: string, readings: readonly Reading[]): Promise<ReadonlySet<string>> {
  const wanted = readings.flatMap(({ queryHash, kind, words }) =>
    words === null ? [] : [{ key: `${queryHash} ${kind}`, words }],
  )
  if (wanted.length === 0) return new Set()
  const rows = await tx<{ key: string }[]>`
    select wanted.key
    from unnest(
      ${textArray(wanted.map(({ key }) => key))}::text[],
      ${textArray(wanted.map(({ words }) => words))}::tsquery[]
    ) as wanted (key, words)
    cross join lateral (
      select
      from search.own_document as d
      where d.workspace_id = ${workspaceId}
        and d.words @@ wanted.words
        and (d.expires_at is null or d.expires_at > now())
      limit 1
    ) as holding`
  return new Set(rows.map(({ key }) => key))
}
