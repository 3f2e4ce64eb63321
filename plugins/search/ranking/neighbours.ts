import { Type } from '@sinclair/typebox'
import { uuid } from 'mneme/plugin'
import type { Candidate } from '../engine/engine.ts'
import { contextShare, sessionsOf } from './session.ts'
import { type Signal, type Support, weightOf } from './signal.ts'

/** The neighbours of a memory in its session, each with the share of its evidence that it adds. */
export const neighbours: Signal<readonly (Support & Neighbour)[]> = {
  id: 'neighbours',
  weight: 0.9,
  neutral: [],
  of(pool) {
    const around = neighboursOf(pool.candidates)
    const weight = weightOf(neighbours, pool)
    return ({ memoryId, length }) =>
      (around.get(memoryId) ?? []).map(one => ({
        ...one,
        weight: contextShare(length) * weight * one.weight,
        evidence: pool.own.get(one.memoryId) ?? 0,
      }))
  },
  explain: Type.Array(
    Type.Object({
      memory_id: uuid({ description: 'A neighbour in its session.' }),
      distance: Type.Integer({ description: 'Places after it (positive) or before it (negative).' }),
      weight: Type.Number({ description: 'The share of its evidence that is added.' }),
      evidence: Type.Number({ description: 'Its own weighted evidence.' }),
    }),
    { description: 'Neighbours in its session that support it.' },
  ),
}

/**
 * A memory gets a share of the evidence of its neighbours in the session, because an answer often lacks the words of the question right
 * before it. The shares, by distance, were measured on conversations (see the README). A question gives the answer after it more than a
 * statement would.
 */
const BEFORE = [0.35, 0.15, 0.1]
const AFTER = [0.2, 0.1, 0.1]
const AFTER_QUESTION = 0.7
/** A reply adds up to this to its share for the text before it. The longer it is in comparison, the more it goes into that text. */
const BY_REPLY = 0.6
/** Only a text more than this many times as long as the one before counts as a reply; parts of a document mostly differ by less. */
const REPLY_FROM = 2

/** A neighbour that counted, with the added share of its evidence. */
export interface Neighbour {
  readonly memoryId: string
  /** The number of places after (positive) or before (negative) the memory. */
  readonly distance: number
  readonly weight: number
}

/**
 * Finds the neighbours of each candidate among the others. A neighbour that is no candidate adds nothing: it matched the query neither by
 * words nor by meaning.
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
        const weight = shareOf(candidate, other, distance)
        if (weight === undefined) break
        found.push({ memoryId: other.memoryId, distance, weight })
      }
    }
    if (found.length > 0) neighbours.set(candidate.memoryId, found)
  }
}

function shareOf(candidate: Candidate, other: Candidate, distance: number): number | undefined {
  if (distance === -1 && other.traits.endsAsking) return AFTER_QUESTION
  const share = (distance < 0 ? BEFORE : AFTER)[Math.abs(distance) - 1]
  return distance === 1 && share !== undefined
    ? share + BY_REPLY * excess(other.length, REPLY_FROM * candidate.length)
    : share
}

/** Returns 0 for a length up to `than`, and approaches 1 as it grows beyond. */
function excess(length: number, than: number): number {
  return length > than ? 1 - than / length : 0
}

function placeOf(candidate: Candidate): number {
  return candidate.sessionPosition ?? 0
}
