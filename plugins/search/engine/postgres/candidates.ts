import { plainArray, type Tx } from 'mneme/plugin'
import { type Candidate, type CandidateSet, type CorpusStatistics, type EngineQuery, TOTAL_MAX } from '../engine.ts'
import type { VectorType } from './embeddings.ts'
import { candidateReader, type FeatureRow, features, vectorJoin } from './features.ts'
import {
  keywordRows,
  LIST_MAX,
  nearRows,
  selectiveTerms,
  termRows,
  totalBesideIndex,
  totalBesideScan,
  weighTerms,
  wordTables,
} from './matches.ts'
import { type Near, nearestByIndex, type VectorStore } from './near-index.ts'
import { GENERIC_PLAN, underSettings } from './planner.ts'
import { statisticsOf } from './statistics.ts'
import { besideWords, givenWords } from './worded.ts'

/** Pages beyond the head examine this many term rows, because they may take longer. */
const TAIL_PAIRS_MAX = 40_000

interface CandidateRow extends FeatureRow {
  total: number
}

export async function findCandidates(
  tx: Tx,
  store: VectorStore,
  query: EngineQuery,
  before?: CandidateSet,
): Promise<CandidateSet> {
  const corpus = await statisticsOf(tx, query)
  if (query.match === 'all') return setOf(query, corpus, await keywordHead(tx, query))
  const known = nearestBefore(query, before)
  const nearest = known ?? (await nearestByIndex(tx, store.indexes, query, corpus, LIST_MAX))
  const worded = nearest && (await givenWords(query))
  return nearest && worded
    ? besideWords(tx, store, query, { corpus, worded, nearest })
    : setOf(query, corpus, await mixedHead(tx, store.type, query, corpus, { nearest, isKnown: known !== undefined }))
}

function setOf({ workspaceId }: EngineQuery, corpus: CorpusStatistics, rows: readonly CandidateRow[]): CandidateSet {
  return { candidates: rows.map(candidateReader(workspaceId)), total: rows[0]?.total ?? 0, corpus }
}

export async function findTail(
  tx: Tx,
  type: VectorType,
  query: EngineQuery,
  head: readonly string[],
): Promise<Candidate[]> {
  const corpus = await statisticsOf(tx, query)
  const rest = query.match === 'all' ? keywordRest(tx, query, head) : mixedRest(tx, type, query, corpus, head)
  if (!rest) return []
  const statement = tx<FeatureRow[]>`
    with head as (
      ${rest}
      limit ${Math.max(0, TOTAL_MAX - head.length)}
    )
    select ${features(tx, type, query)}
    from head
    join search.document as d on d.workspace_id = ${query.workspaceId} and d.memory_id = head.memory_id
    ${vectorJoin(tx, query)}`
  const rows = await underSettings(tx, GENERIC_PLAN, statement)
  return rows.map(candidateReader(query.workspaceId))
}

/** @param nearest given where an index found them, or where they are known from a former result; else all vectors are compared */
async function mixedHead(
  tx: Tx,
  type: VectorType,
  query: EngineQuery,
  corpus: CorpusStatistics,
  { nearest, isKnown }: { readonly nearest: readonly Near[] | undefined; readonly isKnown: boolean },
) {
  const terms = weighTerms(query, corpus)
  const telling = selectiveTerms(query, corpus, terms)
  const total = isKnown
    ? tx`select ${TOTAL_MAX}::integer`
    : nearest
      ? totalBesideIndex(tx, type, query, corpus)
      : totalBesideScan(tx, query, telling.length < terms.length)
  const statement = tx<CandidateRow[]>`
    with near as materialized (${nearest ? givenRows(tx, nearest) : nearRows(tx, type, query)}),
    ${wordTables(tx, query, telling)},
    head as (
      select listed.memory_id, max(listed.cosine) as cosine
      from (
        (select near.memory_id, near.cosine from near order by near.cosine desc, near.memory_id limit ${LIST_MAX})
        union all
        (select worded.memory_id, null from worded order by worded.weight desc, worded.memory_id desc limit ${LIST_MAX})
      ) as listed
      group by listed.memory_id
    )
    select ${features(tx, type, query)}, (${total}) as total
    from head
    join search.document as d on d.workspace_id = ${query.workspaceId} and d.memory_id = head.memory_id
    ${vectorJoin(tx, query)}`
  return underSettings(tx, GENERIC_PLAN, statement)
}

/** Reuses the nearest memories of a former result if it reached the maximum total; with fewer matches the added words change the total. */
function nearestBefore({ vector }: EngineQuery, before?: CandidateSet): Near[] | undefined {
  if (!vector || !before || before.total < TOTAL_MAX) return undefined
  return before.candidates
    .flatMap(({ memoryId, cosine }) =>
      cosine !== null && cosine >= vector.floor ? [{ memory_id: memoryId, cosine }] : [],
    )
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, LIST_MAX)
}

function givenRows(tx: Tx, nearest: readonly Near[]) {
  return tx`
    select given.memory_id, given.cosine
    from unnest(
      ${plainArray(nearest.map(({ memory_id }) => memory_id))}::uuid[],
      ${plainArray(nearest.map(({ cosine }) => cosine))}::double precision[]
    ) as given (memory_id, cosine)`
}

async function keywordHead(tx: Tx, query: EngineQuery): Promise<CandidateRow[]> {
  const matching = keywordRows(tx, query)
  if (!matching) return []
  const statement = tx<CandidateRow[]>`
    with matching as materialized (${matching}),
    head as (
      select matching.memory_id, null::double precision as cosine
      from matching
      order by matching.weight desc, matching.stated_at desc, matching.memory_id desc
      limit ${2 * LIST_MAX}
    )
    select
      ${features(tx, 'vector', query)},
      (select least(count(*), ${TOTAL_MAX}) from matching) as total
    from head
    join search.document as d on d.workspace_id = ${query.workspaceId} and d.memory_id = head.memory_id`
  return underSettings(tx, GENERIC_PLAN, statement)
}

function keywordRest(tx: Tx, query: EngineQuery, head: readonly string[]) {
  const matching = keywordRows(tx, query)
  if (!matching) return undefined
  return tx`
    select matching.memory_id, null::double precision as cosine
    from (${matching}) as matching
    where matching.memory_id <> all(${plainArray(head)}::uuid[])
    order by matching.weight desc, matching.stated_at desc, matching.memory_id desc`
}

function mixedRest(tx: Tx, type: VectorType, query: EngineQuery, corpus: CorpusStatistics, head: readonly string[]) {
  return tx`
    select matching.memory_id, max(matching.cosine) as cosine
    from (
      select near.memory_id, near.cosine, null::real as weight from (${nearRows(tx, type, query)}) as near
      union all
      select pair.memory_id, null, pair.weight from (${termRows(tx, query, weighTerms(query, corpus), TAIL_PAIRS_MAX)}) as pair
    ) as matching
    where matching.memory_id <> all(${plainArray(head)}::uuid[])
    group by matching.memory_id
    order by coalesce(max(matching.cosine), 0) + 0.1 * coalesce(sum(matching.weight), 0) desc, matching.memory_id desc`
}
