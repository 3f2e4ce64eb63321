import type { Evidence } from './evidence.ts'
import { inOrder } from './evidence-order.ts'
import { type Coexist, isPast, type Period } from './fold-evidence.ts'
import { latest, statedAtOf } from './statement-times.ts'

/**
 * Adds what ends a thing by a part of its name: "sold the Skoda" ends that somebody owns a Skoda Enyaq, where it is the only Skoda there is, and
 * where the day that is told is none before it was owned.
 */
export function withEndsInShort(evidence: readonly Evidence[], coexist: Coexist): Evidence[] {
  const bySource = Map.groupBy(
    evidence.filter(({ type }) => type === 'OWNS'),
    ({ sourceId }) => sourceId,
  )
  return [...evidence, ...[...bySource.values()].flatMap(own => endsInShort(own, coexist))]
}

function endsInShort(own: readonly Evidence[], coexist: Coexist): Evidence[] {
  const held = new Map<string, Evidence>()
  return inOrder(own).flatMap(one => {
    if (!isPast(one)) held.set(one.targetId, one)
    else if (!held.delete(one.targetId) && one.closes && one.validFrom === null) {
      const [meant, ...others] = [...held.values()].filter(
        other => coexist(one.type, one.targetId, other.targetId) && instantOf(one) >= instantOf(other),
      )
      if (!meant || others.length > 0) return []
      held.delete(meant.targetId)
      return [{ ...one, targetId: meant.targetId, onlyEnds: true }]
    }
    return []
  })
}

function instantOf({ effectiveAt, statedAt }: Evidence): Date {
  return effectiveAt ?? statedAt
}

/** Ends what somebody reports to with the job that it belongs to: the one held when it was last told, else the next that is heard of. */
export function endedWithJobs(periods: readonly Period[]): Period[] {
  const held = periods.filter(
    ({ type, knownFrom, knownTo }) => type === 'WORKS_AT' && (!knownTo || knownTo > knownFrom),
  )
  const jobsOf = Map.groupBy(held, ({ sourceId }) => sourceId)
  return periods.map(period => {
    const jobs = period.type === 'REPORTS_TO' ? jobsOf.get(period.sourceId) : undefined
    const end = jobs && endOf(period, jobs)
    if (!end?.knownTo || (period.knownTo && period.knownTo <= end.knownTo)) return period
    return { ...period, knownTo: end.knownTo, validTo: period.validTo ?? end.validTo }
  })
}

/** @returns the job with which it ends; of several held at once the last that does; undefined as long as one goes on */
function endOf({ evidence }: Period, jobs: readonly Period[]): Period | undefined {
  const told = latest(statedAtOf(evidence.filter(one => !isPast(one))))
  if (!told) return undefined
  const held = jobs.filter(({ knownFrom, knownTo }) => knownFrom <= told && (!knownTo || knownTo > told))
  const next = jobs
    .filter(({ knownFrom }) => knownFrom > told)
    .toSorted(byBegin)
    .slice(0, 1)
  const own = held.length > 0 ? held : next
  return own.some(({ knownTo }) => !knownTo) ? undefined : own.toSorted(byEnd).at(-1)
}

function byBegin(one: Period, other: Period): number {
  return one.knownFrom.getTime() - other.knownFrom.getTime()
}

function byEnd(one: Period, other: Period): number {
  return (one.knownTo?.getTime() ?? 0) - (other.knownTo?.getTime() ?? 0)
}
