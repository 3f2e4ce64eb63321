import { plainArray, type Tx } from 'mneme/plugin'
import {
  type Candidate,
  type CandidateSet,
  type CorpusStatistics,
  type EngineQuery,
  TOTAL_MAX,
  type WordCandidates,
} from '../engine.ts'
import { candidatesByIds } from './by-ids.ts'
import type { VectorType } from './embeddings.ts'
import { candidateReader, cosine, cosineArray, type FeatureRow, features, vectorJoin } from './features.ts'
import { allTerms, countMatches, LIST_MAX, selectiveTerms, weighTerms, wordsProveTotal, wordTables } from './matches.ts'
import { expectsIndex, type Near, type VectorStore } from './near-index.ts'
import { GENERIC_PLAN, underSettings } from './planner.ts'
import { statisticsOf } from './statistics.ts'

/**
 * Retrieves the candidates by words of a query whose vector is not known yet. Undefined where no index over vectors is expected to serve:
 * an exact scan needs all matches by words, to count those that it finds as well.
 */
export async function candidatesByWords(
  tx: Tx,
  { type, indexes }: VectorStore,
  query: EngineQuery,
): Promise<WordCandidates | undefined> {
  const terms = allTerms(query)
  if (query.match === 'all' || terms.length === 0) return undefined
  const corpus = await statisticsOf(tx, query)
  if (!expectsIndex(indexes, query, corpus)) return undefined
  const telling = selectiveTerms(query, corpus, weighTerms(query, corpus))
  const { vector: _, ...words } = query
  const statement = tx<(FeatureRow & { proves_total: boolean })[]>`
    with ${wordTables(tx, query, telling)},
    head as (
      select worded.memory_id
      from worded
      order by worded.weight desc, worded.memory_id desc
      limit ${LIST_MAX}
    )
    select ${features(tx, type, words)}, (${wordsProveTotal(tx, query, corpus)}) as proves_total
    from head
    join search.document as d on d.workspace_id = ${query.workspaceId} and d.memory_id = head.memory_id`
  const rows = await underSettings(tx, GENERIC_PLAN, statement)
  return {
    terms,
    candidates: rows.map(candidateReader(query.workspaceId)),
    provesTotal: rows[0]?.proves_total ?? false,
  }
}

/** Returns the candidates by words that were given along with a query, if they are for these words. */
export async function givenWords(query: EngineQuery): Promise<WordCandidates | undefined> {
  const worded = await query.worded
  const terms = allTerms(query)
  const same = worded?.terms.length === terms.length && terms.every((term, at) => term === worded.terms[at])
  return same ? worded : undefined
}

/** The parts of a result that were retrieved one by one. */
interface Parts {
  readonly corpus: CorpusStatistics
  readonly worded: WordCandidates
  readonly nearest: readonly Near[]
}

/** Reads the features of the nearest memories, unless they are candidates by words, and puts all together. */
export async function besideWords(
  tx: Tx,
  { type }: VectorStore,
  query: EngineQuery,
  { corpus, worded, nearest }: Parts,
): Promise<CandidateSet> {
  const near = new Map(nearest.map(({ memory_id, cosine }) => [memory_id, cosine]))
  const byWords = new Set(worded.candidates.map(({ memoryId }) => memoryId))
  const others = [...near.keys()].filter(id => !byWords.has(id))
  const [examined, cosines, total] = await Promise.all([
    candidatesByIds(tx, type, query, others, near),
    cosinesOf(tx, type, query, byWords, near),
    worded.provesTotal ? TOTAL_MAX : countMatches(tx, type, query),
  ])
  const present = worded.candidates.flatMap((candidate): Candidate[] => {
    const cosine = cosines.get(candidate.memoryId)
    return cosine === undefined ? [] : [{ ...candidate, cosine }]
  })
  const nearOthers = examined.map(({ matches: _, passesFilter: __, ...candidate }): Candidate => candidate)
  return { candidates: [...present, ...nearOthers], total, corpus }
}

/** Reads the cosines of memories, except known ones; null without a vector. Memories that were deleted meanwhile are absent. */
async function cosinesOf(
  tx: Tx,
  type: VectorType,
  { workspaceId, vector }: EngineQuery,
  ids: ReadonlySet<string>,
  known: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number | null>> {
  if (!vector || ids.size === 0) return new Map()
  const given = [...ids]
  const head = tx`
    select *
    from unnest(${plainArray(given)}::uuid[], ${cosineArray(given, known)}::double precision[]) as given (memory_id, cosine)`
  const statement = tx<{ memory_id: string; cosine: number | null }[]>`
    select d.memory_id, ${cosine(tx, type, vector)} as cosine
    from (${head}) as head
    join search.document as d on d.workspace_id = ${workspaceId} and d.memory_id = head.memory_id
    ${vectorJoin(tx, { workspaceId, vector })}`
  const rows = await underSettings(tx, GENERIC_PLAN, statement)
  return new Map(rows.map(row => [row.memory_id, row.cosine]))
}
