import type { Tx } from '../../../core/db/database.ts'
import type { CandidateSet, EngineQuery, SearchEngine } from '../engine/engine.ts'

/** Liked memories that are added to the candidates of one search; those liked most first. */
const LIKED_MAX = 50

/**
 * Adds memories that were liked for the query, or similar ones, and match it, but that the engine did not propose: among very
 * many matches what users found helpful need not be among the best by words or meaning.
 */
export async function withLiked(
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
  if (liked.length === 0) return set
  const { candidates } = await engine.features(tx, query, liked)
  return { ...set, candidates: [...set.candidates, ...candidates.filter(({ matches }) => matches)] }
}
