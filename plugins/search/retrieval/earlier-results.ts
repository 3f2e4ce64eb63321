import type { Tx } from 'mneme/plugin'
import type { CandidateSet, EngineQuery, SearchEngine } from '../engine/engine.ts'

/**
 * Adds results that were found without expansion but crowded out of the candidates, so that a wider search never shows less than a narrow
 * one.
 */
export async function withEarlierResults(
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
  // Memories that feedback or other plugins added are added again later.
  return { ...wider, candidates: [...wider.candidates, ...candidates.filter(({ matches }) => matches)], total }
}
