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
  const { further: read = [], ...own } = set
  const known = new Set([...own.candidates, ...read].map(({ memoryId }) => memoryId))
  const missing = [...new Set(ids)].filter(id => !known.has(id))
  const { vector } = query
  const anyMeaning = vector ? { ...query, vector: { ...vector, floor: -1 } } : query
  const others = missing.length > 0 ? (await engine.features(tx, anyMeaning, missing)).candidates : []
  const added = [...read, ...others].filter(({ matches }) => matches)
  if (added.length === 0) return own
  // The remaining ones are already included in the total.
  const further = added.filter(
    ({ cosine, positions }) => positions.size === 0 && (cosine ?? -1) < (vector?.floor ?? 1),
  ).length
  return {
    ...own,
    candidates: [...own.candidates, ...added],
    total: Math.min(TOTAL_MAX, own.total + further),
  }
}
