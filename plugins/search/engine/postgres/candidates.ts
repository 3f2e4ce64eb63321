import type { Tx } from '../../../../core/db/database.ts'
import { type Candidate, type CandidateSet, type CorpusStatistics, type EngineQuery, TOTAL_MAX } from '../engine.ts'
import type { VectorType } from './embeddings.ts'
import { type FeatureRow, features, toCandidate, vectorJoin } from './features.ts'
import { plainArray } from './literals.ts'
import {
  allTerms,
  anyTermRows,
  keywordRows,
  nearRows,
  PAIRS_MAX,
  tellingTerms,
  termRows,
  weighTerms,
} from './matches.ts'
import { readStatistics } from './statistics.ts'

/** Candidates taken from each list, by words and by meaning. */
const LIST_MAX = 100
/** Rows of terms that are looked at for pages beyond the head, where time matters less. */
const TAIL_PAIRS_MAX = 40_000

interface CandidateRow extends FeatureRow {
  total: number
  /** The list of terms ended at its limit, so the total may be too low. */
  cut: boolean
}

export async function findCandidates(tx: Tx, type: VectorType, query: EngineQuery): Promise<CandidateSet> {
  const [corpus] = await Promise.all([readStatistics(tx, query.workspaceId, allTerms(query)), steerPlanner(tx)])
  const rows = query.match === 'all' ? await keywordHead(tx, query) : await mixedHead(tx, type, query, corpus)
  const total = rows[0]?.total ?? 0
  return {
    candidates: rows.map(row => toCandidate(row, query.workspaceId)),
    total: rows[0]?.cut && total < TOTAL_MAX ? await countMatches(tx, type, query) : total,
    corpus,
  }
}

/**
 * A plan made for any parameters expects few rows of a term and may read every workspace's documents instead of the index.
 * And compiling a plan pays only for queries far longer than a search may take.
 */
async function steerPlanner(tx: Tx): Promise<void> {
  await tx`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`
}

export async function findTail(
  tx: Tx,
  type: VectorType,
  query: EngineQuery,
  head: readonly string[],
): Promise<Candidate[]> {
  const [corpus] = await Promise.all([readStatistics(tx, query.workspaceId, allTerms(query)), steerPlanner(tx)])
  const rest = query.match === 'all' ? keywordRest(tx, query, head) : mixedRest(tx, type, query, corpus, head)
  if (!rest) return []
  const rows = await tx<CandidateRow[]>`
    with head as (
      ${rest}
      limit ${Math.max(0, TOTAL_MAX - head.length)}
    )
    select ${features(tx, type, query)}, 0 as total, false as cut
    from head
    join search.document as d on d.workspace_id = ${query.workspaceId} and d.memory_id = head.memory_id
    ${vectorJoin(tx, query)}`
  return rows.map(row => toCandidate(row, query.workspaceId))
}

async function mixedHead(tx: Tx, type: VectorType, query: EngineQuery, corpus: CorpusStatistics) {
  const terms = weighTerms(query, corpus)
  const telling = tellingTerms(query, corpus, terms)
  return tx<CandidateRow[]>`
    with near as materialized (${nearRows(tx, type, query)}),
    pair as materialized (${termRows(tx, query, telling, PAIRS_MAX)}),
    worded as materialized (
      select pair.memory_id, sum(pair.weight) as weight
      from pair
      group by pair.memory_id
    ),
    head as (
      select listed.memory_id, max(listed.cosine) as cosine
      from (
        (select near.memory_id, near.cosine from near order by near.cosine desc, near.memory_id limit ${LIST_MAX})
        union all
        (select worded.memory_id, null from worded order by worded.weight desc, worded.memory_id limit ${LIST_MAX})
      ) as listed
      group by listed.memory_id
    )
    select
      ${features(tx, type, query)},
      (
        select case
          when (select count(*) from near) >= ${TOTAL_MAX} then ${TOTAL_MAX}
          else (
            select least(count(*), ${TOTAL_MAX})
            from (select near.memory_id from near union select worded.memory_id from worded) as matching
          )
        end
      ) as total,
      ${telling.length < terms.length} or (select count(*) from pair) = ${PAIRS_MAX} as cut
    from head
    join search.document as d on d.workspace_id = ${query.workspaceId} and d.memory_id = head.memory_id
    ${vectorJoin(tx, query)}`
}

async function keywordHead(tx: Tx, query: EngineQuery): Promise<CandidateRow[]> {
  const matching = keywordRows(tx, query)
  if (!matching) return []
  return tx<CandidateRow[]>`
    with matching as materialized (${matching}),
    head as (
      select matching.memory_id, null::double precision as cosine
      from matching
      order by matching.weight desc, matching.created_at desc, matching.memory_id desc
      limit ${2 * LIST_MAX}
    )
    select
      ${features(tx, 'vector', query)},
      (select least(count(*), ${TOTAL_MAX}) from matching) as total,
      false as cut
    from head
    join search.document as d on d.workspace_id = ${query.workspaceId} and d.memory_id = head.memory_id`
}

/** Counts anew, each document once, where the rows of terms in sight are not all there are. */
async function countMatches(tx: Tx, type: VectorType, query: EngineQuery): Promise<number> {
  // A thousand documents by words are the whole total by themselves; fewer are all there are.
  const [counted] = await tx<{ total: number }[]>`
    select least(count(*), ${TOTAL_MAX}) as total
    from (
      select near.memory_id from (${nearRows(tx, type, query)}) as near
      union
      select worded.memory_id from (${anyTermRows(tx, query, TOTAL_MAX)}) as worded
    ) as matching`
  return counted?.total ?? 0
}

function keywordRest(tx: Tx, query: EngineQuery, head: readonly string[]) {
  const matching = keywordRows(tx, query)
  if (!matching) return undefined
  return tx`
    select matching.memory_id, null::double precision as cosine
    from (${matching}) as matching
    where matching.memory_id <> all(${plainArray(head)}::uuid[])
    order by matching.weight desc, matching.created_at desc, matching.memory_id desc`
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
    order by coalesce(max(matching.cosine), 0) + 0.1 * coalesce(sum(matching.weight), 0) desc, matching.memory_id`
}
