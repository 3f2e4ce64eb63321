import type { Tx } from 'mneme/plugin'
import { type CandidateSet, type EngineQuery, type SearchEngine, TOTAL_MAX } from '../engine/engine.ts'

/** A search adds at most this many liked memories, the most liked first. */
const LIKED_MAX = 50

/**
 * Adds memories that were liked for this query or similar ones and are not among the candidates. Among very many matches a helpful memory
 * may not be retrieved, and it may share neither words nor meaning with the query. Filters, quotations and exclusions still apply, and in
 * keyword mode every term.
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
  if (liked.length === 0) return set
  const { vector } = query
  const anyMeaning = vector ? { ...query, vector: { ...vector, floor: -1 } } : query
  const { candidates } = await engine.features(tx, anyMeaning, liked)
  const added = candidates.filter(({ matches }) => matches)
  // The remaining ones are already included in the total.
  const further = added.filter(
    ({ cosine, positions }) => positions.size === 0 && (cosine ?? -1) < (vector?.floor ?? 1),
  ).length
  return {
    ...set,
    candidates: [...set.candidates, ...added],
    total: Math.min(TOTAL_MAX, set.total + further),
  }
}
