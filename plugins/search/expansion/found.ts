import type { Tx } from 'mneme/plugin'
import type { CandidateSet, EngineQuery, SearchEngine } from '../engine/engine.ts'

/**
 * Adds what was found without expansion and that further words crowded out of the candidates, so that a wider search never
 * shows less than a narrow one.
 */
export async function withFound(
  tx: Tx,
  engine: SearchEngine,
  query: EngineQuery,
  wider: CandidateSet,
  narrow: CandidateSet,
): Promise<CandidateSet> {
  const proposed = new Set(wider.candidates.map(({ memoryId }) => memoryId))
  const crowdedOut = narrow.candidates.map(({ memoryId }) => memoryId).filter(id => !proposed.has(id))
  const total = Math.max(wider.total, narrow.total)
  if (crowdedOut.length === 0) return { ...wider, total }
  const { candidates } = await engine.features(tx, query, crowdedOut)
  // Those that feedback or other plugins had brought in are brought in again.
  return { ...wider, candidates: [...wider.candidates, ...candidates.filter(({ matches }) => matches)], total }
}
