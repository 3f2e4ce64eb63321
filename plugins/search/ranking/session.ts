import { Type } from '@sinclair/typebox'
import { uuid } from 'mneme/plugin'
import type { Candidate } from '../engine/engine.ts'
import { type Signal, type Support, weightOf } from './signal.ts'

/** The best other memory of the session, with the share of its evidence that it adds. */
export const session: Signal<Support | null> = {
  id: 'session',
  weight: 0.2,
  neutral: null,
  of(pool) {
    const best = bestOfSessions(pool.candidates, pool.own)
    const weight = weightOf(session, pool)
    return candidate => {
      const memoryId = best.get(candidate.memoryId)
      if (memoryId === undefined) return null
      return { memoryId, weight: contextShare(candidate.length) * weight, evidence: pool.own.get(memoryId) ?? 0 }
    }
  },
  explain: Type.Union(
    [
      Type.Object({
        memory_id: uuid({ description: 'The other memory of its session with the most evidence.' }),
        weight: Type.Number({ description: 'The share of its evidence that is added.' }),
        evidence: Type.Number({ description: 'Its own weighted evidence.' }),
      }),
      Type.Null(),
    ],
    { description: 'The support by its session; null without another result of the session.' },
  ),
}

/** Groups candidates by session; those without one are left out. */
export function sessionsOf(candidates: readonly Candidate[]): Candidate[][] {
  const sessions = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    if (candidate.sessionId === null) continue
    // Two users may name their sessions alike.
    const key = JSON.stringify([candidate.userId, candidate.sessionId])
    const session = sessions.get(key)
    if (session) session.push(candidate)
    else sessions.set(key, [candidate])
  }
  return [...sessions.values()]
}

/**
 * Finds for each candidate the other one of its session with the most evidence: where people discussed a topic at length, more of the
 * session is about it (cluster hypothesis, van Rijsbergen 1979).
 *
 * @param evidence the evidence of each candidate by itself
 */
export function bestOfSessions(
  candidates: readonly Candidate[],
  evidence: ReadonlyMap<string, number>,
): ReadonlyMap<string, string> {
  const of = ({ memoryId }: Candidate) => evidence.get(memoryId) ?? 0
  const best = new Map<string, string>()
  for (const session of sessionsOf(candidates)) {
    const [first, second] = session.toSorted((a, b) => of(b) - of(a) || (a.memoryId < b.memoryId ? -1 : 1))
    if (!first || !second) continue
    for (const { memoryId } of session)
      best.set(memoryId, memoryId === first.memoryId ? second.memoryId : first.memoryId)
  }
  return best
}

/** A text of at most this many words, such as a chat message, takes all of the support. */
const SHORT = 20
/** Beyond that the share falls with the length; it is a half at 170 words, about a long paragraph. */
const FALL = 130

/**
 * Returns the share of support that a text of this length takes from the texts around it, from 1 to 0. "Yes, in Lyon." is understood from
 * what was said before; a page says itself what it is about, and words of any question occur around it by chance.
 */
export function contextShare(length: number): number {
  return Math.min(1, (FALL + SHORT) / (FALL + length))
}
