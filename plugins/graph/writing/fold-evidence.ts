import type { RelationType } from '../contract.ts'
import type { Evidence } from './evidence.ts'
import { inOrder } from './evidence-order.ts'

/** A relationship while it was known to hold, from one begin to one end. */
export interface Period {
  readonly sourceId: string
  readonly targetId: string
  readonly type: RelationType
  readonly knownFrom: Date
  readonly knownTo: Date | null
  readonly validFrom: Date | null
  readonly validTo: Date | null
  /** All that supports or ends it. */
  readonly evidence: readonly Evidence[]
}

/** The target of evidence that names none: the greatest id, so that it is never the source of a symmetric type. */
export const WILDCARD_TARGET = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Tells whether two ends of a type that has one at a time may both be right, as a city and the country around it. */
export type Coexist = (type: RelationType, one: string, other: string) => boolean

/** Single-valued types: a new target replaces the former one. */
export const ONE_AT_A_TIME: ReadonlySet<RelationType> = new Set(['LIVES_IN', 'WORKS_AT', 'REPORTS_TO', 'BORN_IN'])

const OPPOSITES: ReadonlyMap<RelationType, RelationType> = new Map([
  ['LIKES', 'DISLIKES'],
  ['DISLIKES', 'LIKES'],
])

/** The other type that cannot hold of the same two at once. */
export function oppositeOf(type: RelationType): RelationType | undefined {
  return OPPOSITES.get(type)
}

/**
 * Derives the relationships that evidence speaks of, from all of it and from nothing else: in whatever order memories come, are
 * changed and go, the same ones are left with the same relationships.
 *
 * @param evidence of each source and type of {@link ONE_AT_A_TIME} all there is, of a marriage all of both sides, of others
 *   all about the same two, {@link oppositeOf opposites} included; what is not complete in this sense must not be asked for
 */
export function foldEvidence(evidence: readonly Evidence[], coexist: Coexist): Period[] {
  const slots = new Map<string, Evidence[]>()
  for (const one of evidence) {
    if (one.sourceId === one.targetId) continue
    for (const slot of slotsOf(one)) add(slots, slot, one)
  }
  const ordered = new Map([...slots].map(([slot, all]) => [slot, inOrder(all)]))
  const around = (one: Evidence): readonly Evidence[] => {
    const [first, ...others] = slotsOf(one)
    const own = ordered.get(first ?? '') ?? []
    return others.length === 0 ? own : inOrder([...new Set([...own, ...others.flatMap(slot => slots.get(slot) ?? [])])])
  }
  const stated = evidence.filter(one => !one.onlyEnds)
  // The statements of one memory about one source of a single-valued type.
  const told = Map.groupBy(
    evidence.filter(({ type }) => ONE_AT_A_TIME.has(type)),
    ({ type, sourceId, memoryId }) => `${type} ${sourceId} ${memoryId}`,
  )
  const triples = Map.groupBy(stated, one => `${one.type} ${one.sourceId} ${one.targetId}`)
  return [...triples.values()].flatMap(([first]) =>
    first && first.sourceId !== first.targetId ? periodsOf(first, around(first), { coexist, told }) : [],
  )
}

/** Evidence of one slot is about what may exclude one another. */
function slotsOf({ type, sourceId, targetId }: Evidence): string[] {
  if (ONE_AT_A_TIME.has(type)) return [`${type} ${sourceId}`]
  if (type === 'MARRIED_TO') return [`${type} ${sourceId}`, `${type} ${targetId}`]
  const opposite = oppositeOf(type)
  const name = opposite === undefined || type < opposite ? type : opposite
  return [`${name} ${sourceId} ${targetId}`]
}

interface Building {
  readonly openings: Evidence[]
  readonly evidence: Evidence[]
  /** The evidence that ends it: of this relationship, or of one that replaces it. */
  readonly ends: Evidence[]
  /** Targets that hold beside it, so that hearing of them again does not end it. */
  readonly beside: Set<string>
  readonly openedBy: Map<string, Evidence[]>
  /** The latest end that was told. */
  over: Date | null
  closed: boolean
}

/** Walks through the evidence around a relationship, which opens and closes its periods. */
function periodsOf(
  of: Evidence,
  around: readonly Evidence[],
  { coexist, told }: { coexist: Coexist; told: ReadonlyMap<string, readonly Evidence[]> },
): Period[] {
  const periods: Building[] = []
  const seen = new Set<string>()
  for (const one of around) {
    const last = periods.at(-1)
    const own = one.type === of.type && one.sourceId === of.sourceId && one.targetId === of.targetId
    if (one.onlyEnds) over(last, of, one)
    else if (own && isPast(one)) end(periods, last, one)
    else if (own) open(periods, last, one, { seen, told })
    else if (!isPast(one)) {
      if (last) meet(last, one, coexist)
      seen.add(one.targetId)
    }
  }
  return toPeriods(of, periods)
}

/** It says that something is over: of now it tells nothing but that. */
function isPast({ closes, validTo, statedAt }: Evidence): boolean {
  return closes || (validTo !== null && validTo <= statedAt)
}

function open(
  periods: Building[],
  last: Building | undefined,
  one: Evidence,
  { seen, told }: { seen: ReadonlySet<string>; told: ReadonlyMap<string, readonly Evidence[]> },
): void {
  const building = last && !last.closed ? last : begin(periods)
  building.openings.push(one)
  add(building.openedBy, one.memoryId, one)
  note(building, one)
  if (!ONE_AT_A_TIME.has(one.type)) return
  if (one.isConcurrent) for (const target of seen) building.beside.add(target)
  for (const other of told.get(`${one.type} ${one.sourceId} ${one.memoryId}`) ?? [])
    if (!isPast(other) && saidTogether(one, other)) building.beside.add(other.targetId)
}

function end(periods: Building[], last: Building | undefined, one: Evidence): void {
  // An end that tells its own begin is of another time than one that was over before.
  const building = last && !(last.closed && isLater(one, last)) ? last : begin(periods)
  note(building, one)
  building.ends.push(one)
  building.closed = true
}

function note(building: Building, one: Evidence): void {
  building.evidence.push(one)
  building.over = latest([building.over, one.validTo])
}

/** A marriage can be ended from either side. */
function over(last: Building | undefined, of: Evidence, one: Evidence): void {
  if (!last || last.closed || one.type !== of.type) return
  const own = one.sourceId === of.sourceId && one.targetId === of.targetId
  const any = one.targetId === WILDCARD_TARGET && (one.sourceId === of.sourceId || one.sourceId === of.targetId)
  if (!own && !any) return
  last.ends.push(one)
  last.closed = true
}

/** Something else of the kind is said to hold: does it take the place of this? */
function meet(last: Building, rival: Evidence, coexist: Coexist): void {
  const opening = last.openings.at(-1)
  if (!opening || last.openedBy.get(rival.memoryId)?.some(one => saidTogether(one, rival))) return
  if (rival.isConcurrent) last.beside.add(rival.targetId)
  const sameKind = rival.type === opening.type
  if (sameKind && (last.beside.has(rival.targetId) || coexist(rival.type, ...otherEnds(rival, opening)))) return
  last.ends.push(rival)
  last.closed = true
}

/** The ends that the two do not share: targets, or the spouses of one person. */
function otherEnds(one: Evidence, other: Evidence): [string, string] {
  const shared = one.sourceId === other.sourceId || one.sourceId === other.targetId ? one.sourceId : one.targetId
  const end = ({ sourceId, targetId }: Evidence) => (sourceId === shared ? targetId : sourceId)
  return [end(one), end(other)]
}

function isLater({ validFrom }: Evidence, { over }: Building): boolean {
  return validFrom !== null && over !== null && validFrom > over
}

function begin(periods: Building[]): Building {
  const building: Building = {
    openings: [],
    evidence: [],
    ends: [],
    beside: new Set(),
    openedBy: new Map(),
    over: null,
    closed: false,
  }
  periods.push(building)
  return building
}

/** One memory that says both in one breath means both. */
function saidTogether(one: Evidence, other: Evidence): boolean {
  if (one.memoryId !== other.memoryId) return false
  const differs = one.effectiveAt && other.effectiveAt && one.effectiveAt.getTime() !== other.effectiveAt.getTime()
  return !differs
}

function toPeriods({ sourceId, targetId, type }: Evidence, periods: readonly Building[]): Period[] {
  const known = periods.map(({ openings, evidence }) => earliest((openings.length > 0 ? openings : evidence).map(at)))
  return periods.map(({ openings, evidence, ends, closed }, n) => {
    const knownFrom = known[n] ?? new Date(0)
    // The one that follows takes over once it is known, even if nobody knew of the end between them then.
    const over = earliest([...ends.map(at), known[n + 1]])
    const knownTo = openings.length === 0 || !over || over < knownFrom ? knownFrom : over
    const [first] = ends
    const own = new Set(evidence)
    const told = ends.filter(one => own.has(one)).map(one => one.validTo)
    const replaced = first && !own.has(first) ? (first.onlyEnds ? first.validTo : first.validFrom) : null
    return {
      sourceId,
      targetId,
      type,
      knownFrom,
      knownTo: closed ? knownTo : null,
      validFrom: earliest(evidence.map(one => one.validFrom)),
      validTo: closed ? (firstOf(told) ?? replaced) : latest(openings.map(one => one.validTo)),
      evidence,
    }
  })
}

function at({ statedAt }: Evidence): Date {
  return statedAt
}

function firstOf(dates: readonly (Date | null)[]): Date | null {
  return dates.find(date => date !== null) ?? null
}

function earliest(dates: readonly (Date | null | undefined)[]): Date | null {
  return dates.reduce<Date | null>((best, date) => (date && (!best || date < best) ? date : best), null)
}

function latest(dates: readonly (Date | null)[]): Date | null {
  return dates.reduce<Date | null>((best, date) => (date && (!best || date > best) ? date : best), null)
}

function add(slots: Map<string, Evidence[]>, slot: string, one: Evidence): void {
  const list = slots.get(slot)
  if (list) list.push(one)
  else slots.set(slot, [one])
}
