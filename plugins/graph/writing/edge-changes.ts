import { v7 } from 'uuid'
import type { RelationType } from '../contract.ts'
import { weigh } from '../weight.ts'
import type { Period } from './fold-evidence.ts'

/** An edge as it is stored. */
export interface StoredEdge {
  readonly id: string
  readonly sourceId: string
  readonly targetId: string
  readonly type: RelationType
  readonly knownFrom: Date
  readonly knownTo: Date | null
  readonly validFrom: Date | null
  readonly validTo: Date | null
  readonly weight: number
}

export interface EdgeChanges {
  /** New ones, and those that are other than they were stored. */
  readonly written: readonly StoredEdge[]
  readonly removed: readonly string[]
  /** For each edge its evidence, changed or not. */
  readonly evidence: ReadonlyMap<string, readonly string[]>
  /** Evidence of what came, went, began to hold or ceased to. */
  readonly turned: readonly string[]
}

/** What is stored as `real` comes back with about seven digits. */
const WEIGHT_STEP = 1e-4

/** What has to be written for the edges to be what the evidence says. An edge that goes on keeps its id. */
export function changesOf(periods: readonly Period[], stored: readonly StoredEdge[], now: Date): EdgeChanges {
  const known = Map.groupBy(stored, keyOf)
  const written: StoredEdge[] = []
  const evidence = new Map<string, string[]>()
  const turned: string[] = []
  for (const [key, derived] of Map.groupBy(periods, keyOf)) {
    const former = known.get(key) ?? []
    known.delete(key)
    const matches = matchesOf(derived, former)
    for (const period of derived) {
      const match = matches.get(period)
      const edge = edgeOf(period, match?.id ?? v7(), now)
      evidence.set(
        edge.id,
        period.evidence.map(({ id }) => id),
      )
      if (!match || differs(edge, match)) written.push(edge)
      if (!match || !edge.knownTo !== !match.knownTo) turned.push(...period.evidence.map(({ memoryId }) => memoryId))
    }
    const kept = new Set([...matches.values()].map(({ id }) => id))
    known.set(
      key,
      former.filter(({ id }) => !kept.has(id)),
    )
  }
  return { written, removed: [...known.values()].flat().map(({ id }) => id), evidence, turned }
}

function keyOf({ type, sourceId, targetId }: { type: RelationType; sourceId: string; targetId: string }): string {
  return `${type} ${sourceId} ${targetId}`
}

/** The stored edge of each period: the one known since the same instant, else in turn. */
function matchesOf(periods: readonly Period[], stored: readonly StoredEdge[]): Map<Period, StoredEdge> {
  const matches = new Map<Period, StoredEdge>()
  const left = new Set(stored.toSorted((a, b) => a.knownFrom.getTime() - b.knownFrom.getTime()))
  const take = (period: Period, edge: StoredEdge | undefined) => {
    if (!edge) return
    matches.set(period, edge)
    left.delete(edge)
  }
  for (const period of periods) {
    take(
      period,
      [...left].find(({ knownFrom }) => knownFrom.getTime() === period.knownFrom.getTime()),
    )
  }
  for (const period of periods) if (!matches.has(period)) take(period, left.values().next().value)
  return matches
}

function edgeOf(period: Period, id: string, now: Date): StoredEdge {
  const { sourceId, targetId, type, knownFrom, knownTo, validFrom, validTo, evidence } = period
  return { id, sourceId, targetId, type, knownFrom, knownTo, validFrom, validTo, weight: weigh(type, evidence, now) }
}

function differs(one: StoredEdge, other: StoredEdge): boolean {
  const times = ['knownFrom', 'knownTo', 'validFrom', 'validTo'] as const
  if (times.some(time => one[time]?.getTime() !== other[time]?.getTime())) return true
  return Math.abs(one.weight - other.weight) > WEIGHT_STEP
}
