import type { Tx } from 'mneme/plugin'
import { type CandidateSet, type EngineQuery, type SearchEngine, TOTAL_MAX } from '../engine/engine.ts'

/** Liked memories that are added to the candidates of one search; those liked most first. */
const LIKED_MAX = 50

/**
 * Adds memories that were liked for the query, or similar ones, and that the engine did not propose: among very many matches
 * what users found helpful need not be among the best, and it may share neither words nor meaning with the query. Filters,
 * quotations and exclusions still hold, and so does every term in keyword mode.
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
  const { vector } = query
  const anyMeaning = vector ? { ...query, vector: { ...vector, floor: -1 } } : query
  const { candidates } = await engine.features(tx, anyMeaning, liked)
  const added = candidates.filter(({ matches }) => matches)
  // The others were counted among the matches already.
  const further = added.filter(
    ({ cosine, positions }) => positions.size === 0 && (cosine ?? -1) < (vector?.floor ?? 1),
  ).length
  return {
    ...set,
    candidates: [...set.candidates, ...added],
    total: Math.min(TOTAL_MAX, set.total + further),
  }
}
