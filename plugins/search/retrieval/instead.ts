import type { CandidateSet } from '../engine/engine.ts'
import type { Judgements } from './judgements.ts'

/** A search adds at most this many of them, those for the nearest candidates first. */
const INSTEAD_MAX = 50

/**
 * Lists memories that tell what holds in place of what candidates tell, and are not among them: they may share neither words nor meaning with the
 * query.
 */
export function toldInstead({ candidates }: CandidateSet, { ended }: Pick<Judgements, 'ended'>): string[] {
  if (ended.size === 0) return []
  const proposed = new Set(candidates.map(({ memoryId }) => memoryId))
  const nearest = candidates
    .filter(({ memoryId }) => ended.has(memoryId))
    .toSorted((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1))
  const told = new Set(nearest.flatMap(({ memoryId }) => ended.get(memoryId) ?? []))
  return [...told].filter(memoryId => !proposed.has(memoryId)).slice(0, INSTEAD_MAX)
}
