import type { Tx } from 'mneme/plugin'
import type { CandidateSet, EngineQuery, SearchEngine } from '../engine/engine.ts'
import { withFurther } from './further.ts'

/** A search adds at most this many liked memories, the most liked first. */
const LIKED_MAX = 50

/**
 * Adds memories that were liked for this query or similar ones and are not among the candidates. Among very many matches a helpful memory
 * may not be retrieved, and it may share neither words nor meaning with the query.
 */
export async function withLikedMemories(
  tx: Tx,
  engine: SearchEngine,
  query: EngineQuery,
  set: CandidateSet,
  signals: ReadonlyMap<string, number>,
): Promise<CandidateSet> {
  const proposed = new Set(set.candidates.map(({ memoryId }) => memoryId))
  const liked = [...signals]
    .filter(([memoryId, signal]) => signal > 0 && !proposed.has(memoryId))
    .sort(([, a], [, b]) => b - a)
    .slice(0, LIKED_MAX)
    .map(([memoryId]) => memoryId)
  return withFurther(tx, engine, query, set, liked)
}
