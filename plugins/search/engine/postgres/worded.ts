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
import { countMatches } from './count.ts'
import { vectorParameter } from './embeddings.ts'
import { candidateReader, type FeatureRow, features } from './features.ts'
import { allTerms, LIST_MAX, selectiveTerms, weighTerms, wordTables } from './matches.ts'
import type { VectorStore } from './near-index.ts'
import { expectsIndex, type Near } from './nearest.ts'
import { GENERIC_PLAN, underSettings } from './planner.ts'
import { statisticsOf } from './statistics.ts'
import { wordsProveTotal } from './totals.ts'

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
export function givenWords({ worded, ...query }: EngineQuery): WordCandidates | undefined {
  const terms = allTerms(query)
  const same = worded?.terms.length === terms.length && terms.every((term, at) => term === worded.terms[at])
  return same ? worded : undefined
}

/** The cosines of candidates by words; null without a vector. Those that were deleted meanwhile are absent. */
export type WordedCosines = ReadonlyMap<string, number | null>

export async function cosinesOf(
  tx: Tx,
  { type }: VectorStore,
  { workspaceId, vector }: EngineQuery,
  { candidates }: WordCandidates,
): Promise<WordedCosines> {
  if (!vector || candidates.length === 0) return new Map()
  const rows = await underSettings(
    tx,
    GENERIC_PLAN,
    tx<{ memory_id: string; cosine: number | null }[]>`
      select d.memory_id, -(e.embedding <#> ${vectorParameter(tx, type, vector.values)}) as cosine
      from unnest(${plainArray(candidates.map(({ memoryId }) => memoryId))}::uuid[]) as given (memory_id)
      join search.document as d on d.workspace_id = ${workspaceId} and d.memory_id = given.memory_id
      left join search.embedding as e
        on e.workspace_id = ${workspaceId}
        and e.memory_id = given.memory_id
        and e.model = ${vector.model}`,
  )
  return new Map(rows.map(({ memory_id, cosine }) => [memory_id, cosine]))
}

/** The parts of a result that were retrieved one by one. */
interface Parts {
  readonly corpus: CorpusStatistics
  readonly worded: WordCandidates
  readonly cosines: WordedCosines
  readonly nearest: readonly Near[]
  readonly further: readonly string[]
}

/** Reads the features of the nearest and of further memories, unless they are candidates by words, and puts all together. */
export async function besideWords(
  tx: Tx,
  { type }: VectorStore,
  query: EngineQuery,
  { corpus, worded, cosines, nearest, further }: Parts,
): Promise<CandidateSet> {
  const near = new Map(nearest.map(({ memory_id, cosine }) => [memory_id, cosine]))
  const candidates = worded.candidates.flatMap((candidate): Candidate[] => {
    const cosine = near.get(candidate.memoryId) ?? cosines.get(candidate.memoryId)
    return cosine === undefined ? [] : [{ ...candidate, cosine }]
  })
  const known = new Set(candidates.map(({ memoryId }) => memoryId))
  const others = [...new Set([...near.keys(), ...further])].filter(id => !known.has(id))
  const { vector } = query
  const anyMeaning = vector ? { ...query, vector: { ...vector, floor: -1 } } : query
  const [examined, total] = await Promise.all([
    candidatesByIds(tx, type, anyMeaning, others),
    worded.provesTotal ? TOTAL_MAX : countMatches(tx, type, query),
  ])
  for (const { matches: _, passesFilter: __, ...candidate } of examined) {
    const cosine = near.get(candidate.memoryId)
    if (cosine !== undefined) candidates.push({ ...candidate, cosine })
  }
  return { candidates, total, corpus, further: examined.filter(({ memoryId }) => !near.has(memoryId)) }
}
