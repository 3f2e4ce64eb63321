import type { CandidateSet } from '../engine/engine.ts'

/** A search adds at most this many liked memories, the most liked first. */
const LIKED_MAX = 50

/**
 * Lists memories that were liked for this query or similar ones, or that other plugins connect with it, and are not among the candidates.
 * Among very many matches a helpful memory may not be retrieved, and it may share neither words nor meaning with the query.
 *
 * @param signals the feedback on memories, which takes no evidence away: what was disliked sinks in the ranking and is never hidden
 * @param evidence the strength of the evidence of other plugins
 */
export function likedMemories(
  { candidates }: CandidateSet,
  signals: ReadonlyMap<string, number>,
  evidence: ReadonlyMap<string, number>,
): string[] {
  const proposed = new Set(candidates.map(({ memoryId }) => memoryId))
  return [...new Set([...signals.keys(), ...evidence.keys()])]
    .map(memoryId => [memoryId, Math.max(signals.get(memoryId) ?? 0, evidence.get(memoryId) ?? 0)] as const)
    .filter(([memoryId, strength]) => strength > 0 && !proposed.has(memoryId))
    .sort(([, a], [, b]) => b - a)
    .slice(0, LIKED_MAX)
    .map(([memoryId]) => memoryId)
}
