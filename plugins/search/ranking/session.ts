import type { Candidate } from '../engine/engine.ts'

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
