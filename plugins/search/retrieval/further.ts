import type { Tx } from 'mneme/plugin'
import { type CandidateSet, type EngineQuery, type SearchEngine, TOTAL_MAX } from '../engine/engine.ts'

/**
 * Adds memories that something other than the engine's lists leads to, whatever their own likeness to the query. Filters still apply, and
 * in keyword mode every clause.
 */
export async function withFurther(
  tx: Tx,
  engine: SearchEngine,
  query: EngineQuery,
  set: CandidateSet,
  ids: readonly string[],
): Promise<CandidateSet> {
  const proposed = new Set(set.candidates.map(({ memoryId }) => memoryId))
  const missing = [...new Set(ids)].filter(id => !proposed.has(id))
  if (missing.length === 0) return set
  const { vector } = query
  const anyMeaning = vector ? { ...query, vector: { ...vector, floor: -1 } } : query
  const { candidates } = await engine.features(tx, anyMeaning, missing)
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
