import type { Tx } from 'mneme/plugin'
import type { MemoryFilter } from '../../../memories/contract.ts'
import type { CorpusStatistics, EngineQuery } from '../engine.ts'
import { queryLiteral } from './embeddings.ts'
import { columnConditions, isByUserAlone, needsDocument } from './filters.ts'
import type { NearIndex, NearIndexes } from './near-index.ts'
import { GENERIC_PLAN, underSettings } from './planner.ts'

/** A memory that matches by meaning. */
export interface Near {
  readonly memory_id: string
  readonly cosine: number
}

/**
 * The size of the candidate list during an index scan (ef_search). With a smaller one, one query in some hundreds ends in a corner of the
 * index, far from all true neighbours: this occurred at 120 with the default number of links, and never at 200 with more links.
 */
const SIGHT = 200
/** An index scan visits at most this many vectors. If one in fifty passes the filter, an exact scan behind the filter is no slower. */
const VISITS_MAX = 5000

/**
 * Finds the `limit` nearest memories with the model's HNSW index, the nearest first. Undefined when an exact scan serves better, and when
 * too few rows came back or the farthest is no match: then few matches exist, and only an exact scan finds them all.
 */
export async function nearestByIndex(
  tx: Tx,
  indexes: NearIndexes,
  query: EngineQuery,
  corpus: CorpusStatistics,
  limit: number,
): Promise<Near[] | undefined> {
  const { vector } = query
  const index = vector && indexes.of(vector.model)
  if (!index || vector.values.length !== index.dimensions || !isLight(query.filter)) return undefined
  const least = indexes.paysFrom(index.rows)
  if (corpus.documents < least) return undefined
  if (query.filter.userId !== undefined && !(await indexes.hasEnough(tx, query, least))) return undefined
  const found = await underSettings(tx, INDEX_SCAN, walk(tx, index, query, limit))
  const farthest = found[limit - 1]
  return farthest && farthest.cosine >= vector.floor ? [...found] : undefined
}

/**
 * Tells whether an index will most likely find the nearest memories of a query whose vector is not known yet. With a filter other than the
 * user, whose vectors are counted, it may find too few.
 */
export function expectsIndex(indexes: NearIndexes, query: EngineQuery, corpus: CorpusStatistics): boolean {
  const least = indexes.leastOfAny
  if (corpus.documents < least || !isByUserAlone(query.filter)) return false
  return query.filter.userId === undefined || indexes.wasEnough(query, least)
}

/** Tells whether an index scan can check the filter vector by vector. Other filters leave few rows or need documents. */
function isLight(filter: MemoryFilter): boolean {
  return filter.added === undefined && filter.sessionId === undefined && !needsDocument(filter)
}

/**
 * Sorting is discouraged, because the planner underestimates a workspace and would sort all of it. It may still sort when the index is
 * missing; the result is the same then.
 */
export const INDEX_SCAN = {
  ...GENERIC_PLAN,
  'hnsw.iterative_scan': 'relaxed_order',
  'hnsw.ef_search': SIGHT,
  'hnsw.max_scan_tuples': VISITS_MAX,
  enable_sort: 'off',
}

function walk(tx: Tx, { model, dimensions }: NearIndex, { workspaceId, vector, filter }: EngineQuery, limit: number) {
  // The index has a fixed model and length, and the planner recognises it only by constants.
  const type = tx.unsafe(`halfvec(${dimensions})`)
  const literal = queryLiteral(vector?.values ?? new Float32Array())
  return tx<Near[]>`
    with near as materialized (
      select d.memory_id, d.embedding::${type} <#> ${literal}::${type} as distance
      from search.embedding as d
      where d.workspace_id = ${workspaceId}
        and d.model = ${tx.unsafe(String(model))}
        and ${columnConditions(tx, workspaceId, filter)}
      order by distance
      limit ${limit}
    )
    select near.memory_id, -near.distance as cosine
    from near
    order by near.distance, near.memory_id`
}
