import { v7 } from 'uuid'
import type { RelationType } from '../contract.ts'
import { weigh } from '../weight.ts'
import type { Period } from './fold-evidence.ts'
import type { ReadEvidence } from './read-evidence.ts'
import { earliest } from './statement-times.ts'

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
  /** All that the periods led to, in their order. */
  readonly derived: readonly StoredEdge[]
  /** Evidence that is of another edge than before. */
  readonly linked: readonly { readonly evidenceId: string; readonly edgeId: string }[]
  /** Edges that came or went, began to hold or ceased to, or hold at another time. */
  readonly turned: readonly StoredEdge[]
  /** The memories whose facts those are, as far as there are any. */
  readonly turnedBy: readonly string[]
}

/** Postgres returns a `real` with about seven digits. */
const WEIGHT_STEP = 1e-4

/**
 * Computes the changes that bring the edges in line with the evidence. An edge that continues keeps its id.
 * @param partly of which relationships not all evidence was read: such an edge does not begin later for that, nor end later where what came
 *   next was left out
 */
export function changesOf(
  periods: readonly Period[],
  stored: readonly StoredEdge[],
  now: Date,
  partly: Partly = WHOLLY,
): EdgeChanges {
  const known = Map.groupBy(stored, keyOf)
  const written: StoredEdge[] = []
  const linked: { evidenceId: string; edgeId: string }[] = []
  const turned: StoredEdge[] = []
  const turnedBy = new Set<string>()
  const all: StoredEdge[] = []
  for (const [key, derived] of Map.groupBy(periods, keyOf)) {
    const former = known.get(key) ?? []
    known.delete(key)
    const matches = matchesOf(derived, former)
    for (const period of derived) {
      const match = matches.get(period)
      const edge = mended(edgeOf(period, match?.id ?? v7(), now), match, key, partly)
      all.push(edge)
      for (const { id, edgeId } of period.evidence) {
        if (edgeId !== edge.id) linked.push({ evidenceId: id, edgeId: edge.id })
      }
      if (!match || differs(edge, match)) written.push(edge)
      if (match && !timesDiffer(edge, match)) continue
      turned.push(edge)
      if (match && !edge.knownTo === !match.knownTo) continue
      for (const { memoryId } of period.evidence) turnedBy.add(memoryId)
    }
    const kept = new Set([...matches.values()].map(({ id }) => id))
    known.set(
      key,
      former.filter(({ id }) => !kept.has(id)),
    )
  }
  const gone = [...known.values()].flat()
  return {
    written,
    removed: gone.map(({ id }) => id),
    derived: all,
    linked,
    turned: [...turned, ...gone],
    turnedBy: [...turnedBy],
  }
}

function keyOf({ type, sourceId, targetId }: { type: RelationType; sourceId: string; targetId: string }): string {
  return `${type} ${sourceId} ${targetId}`
}

/** The stored edge of each period: the one known since the same instant, else in turn. */
export function matchesOf(periods: readonly Period[], stored: readonly StoredEdge[]): Map<Period, StoredEdge> {
  const matches = new Map<Period, StoredEdge>()
  const inOrder = stored.toSorted((a, b) => a.knownFrom.getTime() - b.knownFrom.getTime())
  const since = Map.groupBy(inOrder, ({ knownFrom }) => knownFrom.getTime())
  const heads = new Map<number, number>()
  for (const period of periods) {
    const at = period.knownFrom.getTime()
    const head = heads.get(at) ?? 0
    const edge = since.get(at)?.[head]
    if (!edge) continue
    matches.set(period, edge)
    heads.set(at, head + 1)
  }
  const taken = new Set(matches.values())
  const left = inOrder.values().filter(edge => !taken.has(edge))
  for (const period of periods) {
    if (matches.has(period)) continue
    const next = left.next()
    if (next.done) break
    matches.set(period, next.value)
  }
  return matches
}

function edgeOf(period: Period, id: string, now: Date): StoredEdge {
  const { sourceId, targetId, type, knownFrom, knownTo, validFrom, validTo, evidence } = period
  return { id, sourceId, targetId, type, knownFrom, knownTo, validFrom, validTo, weight: weigh(type, evidence, now) }
}

type Partly = Pick<ReadEvidence, 'partial' | 'superseded' | 'begins'>
const WHOLLY: Partly = { partial: new Set(), superseded: new Set(), begins: new Map() }

/** Keeps what an edge has from evidence that was not read this time. */
function mended(edge: StoredEdge, before: StoredEdge | undefined, key: string, partly: Partly): StoredEdge {
  if (!before || !partly.partial.has(key)) return edge
  const begin = partly.begins.get(key)
  const beganBefore = begin === undefined || before.knownFrom >= begin
  const endedBefore = before.knownTo !== null && edge.knownTo !== null && before.knownTo < edge.knownTo
  const isOver = endedBefore && partly.superseded.has(key)
  return {
    ...edge,
    // The oldest statement is always read: where it is younger than the edge, whatever told the begin was taken back.
    ...(beganBefore ? beginOf(before, edge) : {}),
    ...(isOver ? { knownTo: before.knownTo, validTo: before.validTo } : {}),
  }
}

function beginOf(before: StoredEdge, edge: StoredEdge): Pick<StoredEdge, 'knownFrom' | 'validFrom'> {
  return {
    knownFrom: earliest([before.knownFrom, edge.knownFrom]) ?? edge.knownFrom,
    validFrom: edge.validFrom ?? before.validFrom,
  }
}

function differs(one: StoredEdge, other: StoredEdge): boolean {
  return timesDiffer(one, other) || Math.abs(one.weight - other.weight) > WEIGHT_STEP
}

function timesDiffer(one: StoredEdge, other: StoredEdge): boolean {
  const times = ['knownFrom', 'knownTo', 'validFrom', 'validTo'] as const
  return times.some(time => one[time]?.getTime() !== other[time]?.getTime())
}
