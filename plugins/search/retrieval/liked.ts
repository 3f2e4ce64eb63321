import type { CandidateSet } from '../engine/engine.ts'

/** A search adds at most this many liked memories, the most liked first. */
const LIKED_MAX = 50

/**
 * Lists memories that were liked for this query or similar ones and are not among the candidates. Among very many matches a helpful memory
 * may not be retrieved, and it may share neither words nor meaning with the query.
 */
export function likedMemories({ candidates }: CandidateSet, signals: ReadonlyMap<string, number>): string[] {
  const proposed = new Set(candidates.map(({ memoryId }) => memoryId))
  return [...signals]
    .filter(([memoryId, signal]) => signal > 0 && !proposed.has(memoryId))
    .sort(([, a], [, b]) => b - a)
    .slice(0, LIKED_MAX)
    .map(([memoryId]) => memoryId)
}
