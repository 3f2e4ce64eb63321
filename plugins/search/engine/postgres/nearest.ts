import { type Tx, vectorLiteral } from 'mneme/plugin'
import { toConditionTsquery } from '../../analysis/tsquery.ts'
import type { CorpusStatistics, EngineQuery } from '../engine.ts'
import { columnConditions, needsDocument } from './filters.ts'
import type { NearIndex, NearIndexes } from './near-index.ts'
import { lexemePrefix } from './prefix.ts'

/** A memory that is near in meaning. */
export interface Near {
  readonly memory_id: string
  readonly cosine: number
}

/**
 * Vectors kept in sight during a walk. With fewer, one question in some hundreds ends in a corner of the graph, far from all
 * of its true nearest: at 120 and the graph's default links that was seen, at 200 with more links never.
 */
const SIGHT = 200
/**
 * Vectors visited at the most. Where one in fifty passes the filter, an exact scan behind it is no slower than this walk.
 */
const VISITS_MAX = 5000

/**
 * The `limit` nearest by the model's graph, the nearest first; undefined when an exact scan serves better, and when not enough
 * came back or the farthest is no match: then few are left, and an exact scan must say which they are.
 */
export async function nearestByGraph(
  tx: Tx,
  indexes: NearIndexes,
  query: EngineQuery,
  corpus: CorpusStatistics,
  limit: number,
): Promise<Near[] | undefined> {
  const { vector } = query
  const index = vector && indexes.of(vector.model)
  if (!index || vector.values.length !== index.dimensions || !filterIsLight(query)) return undefined
  const least = indexes.paysFrom(index.rows)
  if (corpus.documents < least || !(await userHas(tx, query, least))) return undefined
  const [, found] = await Promise.all([steerToGraph(tx), walk(tx, index, query, limit), unsteer(tx)])
  const farthest = found[limit - 1]
  return farthest && farthest.cosine >= vector.floor ? [...found] : undefined
}

/** What a walk can check vector by vector. Few rows are left behind the other filters, or documents have to be asked. */
function filterIsLight({ query, filter, workspaceId }: EngineQuery): boolean {
  const { added, sessionId } = filter
  if (added !== undefined || sessionId !== undefined || needsDocument(filter)) return false
  return toConditionTsquery(query, lexemePrefix(workspaceId)) === null
}

/** Whether the user asked for, if any, has so many memories. */
async function userHas(tx: Tx, { workspaceId, filter }: EngineQuery, least: number): Promise<boolean> {
  if (filter.userId === undefined) return true
  const [counted] = await tx<{ count: number }[]>`
    select count(*) as count
    from (
      select
      from search.embedding
      where embedding.workspace_id = ${workspaceId}
        and embedding.user_id = ${filter.userId}
      limit ${least}
    ) as theirs`
  return (counted?.count ?? 0) >= least
}

/**
 * Sorting is made unattractive for one statement: the planner takes a workspace for small and would rather sort it whole. It
 * may still do so, when the graph is gone; the answer is the same then.
 */
function steerToGraph(tx: Tx) {
  return tx.unsafe(`
    set local hnsw.iterative_scan = relaxed_order;
    set local hnsw.ef_search = ${SIGHT};
    set local hnsw.max_scan_tuples = ${VISITS_MAX};
    set local enable_sort = off`)
}

function unsteer(tx: Tx) {
  return tx.unsafe('set local enable_sort = on')
}

function walk(tx: Tx, { model, dimensions }: NearIndex, { workspaceId, vector, filter }: EngineQuery, limit: number) {
  // The index is of this model and length, and only constants show the planner that it fits.
  const type = tx.unsafe(`halfvec(${dimensions})`)
  const distance = tx`d.embedding::${type} <#> ${vectorLiteral(vector?.values ?? new Float32Array())}::${type}`
  return tx<Near[]>`
    with near as materialized (
      select d.memory_id, -(${distance}) as cosine
      from search.embedding as d
      where d.workspace_id = ${workspaceId}
        and d.model = ${tx.unsafe(String(model))}
        and ${columnConditions(tx, workspaceId, filter)}
      order by ${distance}
      limit ${limit}
    )
    select near.memory_id, near.cosine
    from near
    order by near.cosine desc, near.memory_id`
}
