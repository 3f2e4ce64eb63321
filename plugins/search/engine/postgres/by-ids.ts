import { plainArray, type Tx } from 'mneme/plugin'
import { lexemePrefix, toKeywordTsquery } from '../../analysis/tsvector.ts'
import { type EngineQuery, type ExaminedCandidate, type ExaminedSet, TOTAL_MAX } from '../engine.ts'
import type { VectorType } from './embeddings.ts'
import { candidateReader, cosineArray, type FeatureRow, features, vectorJoin } from './features.ts'
import { documentConditions } from './filters.ts'
import { GENERIC_PLAN, underSettings } from './planner.ts'
import { statisticsOf } from './statistics.ts'

interface ExaminedRow extends FeatureRow {
  passes: boolean
  /** True if the words of a keyword query match; null in other modes, where any term does. */
  worded: boolean | null
}

/**
 * Reads the features of given memories at any rank, and whether each matches the query, in one statement through the primary key. Ids not
 * indexed in the query's workspace are omitted; the order is that of the ids.
 *
 * @param cosines cosines that are known, whose vectors are not read
 */
export async function candidatesByIds(
  tx: Tx,
  type: VectorType,
  query: EngineQuery,
  ids: readonly string[],
  cosines: ReadonlyMap<string, number> = new Map(),
): Promise<ExaminedCandidate[]> {
  if (ids.length === 0) return []
  const given = tx`
    select given.memory_id, given.cosine, given.ordinal
    from unnest(${plainArray(ids)}::uuid[], ${cosineArray(ids, cosines)}::double precision[])
      with ordinality as given (memory_id, cosine, ordinal)`
  return examined(tx, type, query, given)
}

/**
 * Reads the features of the memories right before and after the given ones in their sessions, each once, ordered by id, in one statement
 * through the index of sessions.
 */
export async function candidatesBesideIds(
  tx: Tx,
  type: VectorType,
  query: EngineQuery,
  ids: readonly string[],
): Promise<ExaminedCandidate[]> {
  if (ids.length === 0) return []
  const { workspaceId } = query
  const given = tx`
    select distinct beside.memory_id, null::double precision as cosine, 0 as ordinal
    from unnest(${plainArray(ids)}::uuid[]) as given (memory_id)
    join search.document as d on d.workspace_id = ${workspaceId} and d.memory_id = given.memory_id
    join search.document as beside
      on beside.workspace_id = ${workspaceId}
      and beside.user_id = d.user_id
      and beside.session_id = d.session_id
      and beside.session_position in (d.session_position - 1, d.session_position + 1)
    where beside.memory_id <> all(${plainArray(ids)}::uuid[])`
  return examined(tx, type, query, given)
}

/** @param given a statement with the columns `memory_id`, `cosine`, which may be null, and `ordinal` */
async function examined(
  tx: Tx,
  type: VectorType,
  query: EngineQuery,
  given: ReturnType<typeof features>,
): Promise<ExaminedCandidate[]> {
  const { workspaceId, match, vector, filter } = query
  const statement = tx<ExaminedRow[]>`
    select
      ${features(tx, type, query)},
      coalesce(${documentConditions(tx, workspaceId, filter)}, false) as passes,
      ${wordsMatch(tx, query)} as worded
    from (${given}) as given
    cross join lateral (select given.memory_id, given.cosine) as head
    join search.document as d on d.workspace_id = ${workspaceId} and d.memory_id = head.memory_id
    ${vectorJoin(tx, query)}
    order by given.ordinal, d.memory_id`
  const rows = await underSettings(tx, GENERIC_PLAN, statement)
  const toCandidate = candidateReader(workspaceId)
  return rows.map(row => {
    const candidate = toCandidate(row)
    const near = match === 'any' && vector !== undefined && row.cosine !== null && row.cosine >= vector.floor
    const worded = row.worded ?? candidate.positions.size > 0
    return {
      ...candidate,
      matches: row.passes && (worded || near),
      passesFilter: row.passes,
    }
  })
}

/** Combines {@link candidatesByIds} with the statistics of the workspace. */
export async function examine(
  tx: Tx,
  type: VectorType,
  query: EngineQuery,
  ids: readonly string[],
): Promise<ExaminedSet> {
  const [corpus, candidates] = await Promise.all([statisticsOf(tx, query), candidatesByIds(tx, type, query, ids)])
  const total = Math.min(TOTAL_MAX, candidates.filter(({ matches }) => matches).length)
  return { candidates, total, corpus }
}

/** Builds the condition that a keyword query matches. The words of a long text lie apart from its row, so reading them twice would cost. */
function wordsMatch(tx: Tx, { match, query, workspaceId }: EngineQuery) {
  if (match === 'any') return tx`null::boolean`
  const tsquery = toKeywordTsquery(query, lexemePrefix(workspaceId))
  return tsquery === null ? tx`false` : tx`d.words @@ ${tsquery}::tsquery`
}
