import type { Tx } from 'mneme/plugin'
import type { CandidateSet, EngineQuery, SearchEngine } from './engine/engine.ts'
import type { Ranked } from './ranking/rank.ts'

/** The best results whose neighbours are looked at: further down a neighbour says too little. */
const BEST = 20

/**
 * Adds what matches right before and after the best results in their sessions, when there are more matches than candidates: an
 * answer may be far down in the lists by words and by meaning, and beside its question.
 */
export async function withBeside(
  tx: Tx,
  engine: SearchEngine,
  query: EngineQuery,
  set: CandidateSet,
  ranking: readonly Ranked[],
): Promise<CandidateSet> {
  if (query.match === 'all' || set.total <= set.candidates.length) return set
  const ids = ranking
    .slice(0, BEST)
    .filter(({ candidate }) => candidate.sessionPosition !== null)
    .map(({ candidate }) => candidate.memoryId)
  if (ids.length === 0) return set
  const known = new Set(set.candidates.map(({ memoryId }) => memoryId))
  const beside = await engine.beside(tx, query, ids)
  const added = beside.filter(({ memoryId, matches }) => matches && !known.has(memoryId))
  return added.length === 0 ? set : { ...set, candidates: [...set.candidates, ...added] }
}
