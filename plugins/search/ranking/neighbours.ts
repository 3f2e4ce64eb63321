import type { Candidate } from '../engine/engine.ts'
import { sessionsOf } from './session.ts'

/**
 * What the memories around one in its session say for it: an answer often lacks the words of the question that stands just
 * before it. Shares of their evidence by distance, measured on conversations (see the README). A question beside counts
 * more before its answer than a remark does.
 */
const BEFORE = [0.25, 0.2, 0.1]
const AFTER = [0.2, 0.1, 0.05]
const AFTER_QUESTION = 0.6

/** A neighbour that counted, with the share of its evidence that was added. */
export interface Neighbour {
  readonly memoryId: string
  /** Places after (positive) or before (negative) the memory. */
  readonly distance: number
  readonly weight: number
}

/**
 * The neighbours of each candidate among the others. One that is no candidate itself has nothing to add: it was near the
 * query in neither words nor meaning.
 */
export function neighboursOf(candidates: readonly Candidate[]): ReadonlyMap<string, readonly Neighbour[]> {
  const neighbours = new Map<string, Neighbour[]>()
  const placed = candidates.filter(({ sessionPosition }) => sessionPosition !== null)
  for (const session of sessionsOf(placed)) collect(session, neighbours)
  return neighbours
}

function collect(session: Candidate[], neighbours: Map<string, Neighbour[]>): void {
  session.sort((a, b) => placeOf(a) - placeOf(b))
  for (const [index, candidate] of session.entries()) {
    const found: Neighbour[] = []
    for (const step of [-1, 1]) {
      for (let at = index + step; at >= 0 && at < session.length; at += step) {
        const other = session[at]
        if (!other) break
        const distance = placeOf(other) - placeOf(candidate)
        // Memories written at the same moment by two writers can share a place; neither is the other's neighbour.
        if (distance === 0) continue
        const weight = shareOf(other, distance)
        if (weight === undefined) break
        found.push({ memoryId: other.memoryId, distance, weight })
      }
    }
    if (found.length > 0) neighbours.set(candidate.memoryId, found)
  }
}

function shareOf({ traits }: Candidate, distance: number): number | undefined {
  if (distance === -1 && traits.endsAsking) return AFTER_QUESTION
  return (distance < 0 ? BEFORE : AFTER)[Math.abs(distance) - 1]
}

function placeOf(candidate: Candidate): number {
  return candidate.sessionPosition ?? 0
}
