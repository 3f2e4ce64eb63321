import type { Tx } from 'mneme/plugin'
import type { CandidateSet, EngineQuery, SearchEngine } from '../engine/engine.ts'
import type { Ranked } from '../ranking/rank.ts'

/** Neighbours are added for this many of the best results; further down they carry too little information. */
const BEST = 20

/**
 * Adds matches right before and after the best results in their sessions, if there are more matches than candidates. The statement that
 * answers a question often stands next to it, but ranks low by words and meaning.
 */
export async function withSessionNeighbours(
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
  const sessionNeighbours = await engine.sessionNeighbours(tx, query, ids)
  const added = sessionNeighbours.filter(({ memoryId, matches }) => matches && !known.has(memoryId))
  return added.length === 0 ? set : { ...set, candidates: [...set.candidates, ...added] }
}
