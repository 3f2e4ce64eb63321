import type { RelationType } from '../contract.ts'
import type { Evidence } from './evidence.ts'
import { inOrder } from './evidence-order.ts'
import { earliest, firstOf, latest, soonestFrom, statedAtOf, toldEnd } from './statement-times.ts'

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

/** Statements about one's marriages beyond which those about the spouses' other marriages are left out. */
const MARRIAGES_MAX = 100
/** Relationships that hold beside each other; the one that has held for longest gives way to one more. */
const OPEN_MAX = 300
/** Statements after a relationship's end that may still tell that the end was known sooner. */
const LOOK_AHEAD = 300

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
    const [own = [], other] = slotsOf(one)
      .map(slot => ordered.get(slot) ?? [])
      .toSorted((a, b) => b.length - a.length)
    return !other || own.length > MARRIAGES_MAX ? own : inOrder([...new Set([...own, ...other])])
  }
  const stated = evidence.filter(one => !one.onlyEnds && one.sourceId !== one.targetId)
  // The statements of one memory about one source of a single-valued type.
  const told = Map.groupBy(
    evidence.filter(({ type }) => ONE_AT_A_TIME.has(type)),
    ({ type, sourceId, memoryId }) => `${type} ${sourceId} ${memoryId}`,
  )
  const firsts = [...new Map(stated.map(one => [keyOf(one), one])).values()]
  return [...Map.groupBy(firsts, around)].flatMap(([rows, triples]) => periodsOf(triples, rows, { coexist, told }))
}

function keyOf({ type, sourceId, targetId }: Evidence): string {
  return `${type} ${sourceId} ${targetId}`
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
  readonly of: Evidence
  readonly openings: Evidence[]
  readonly evidence: Evidence[]
  /** The evidence that ends it: of this relationship, or of one that replaces it. */
  readonly ends: Evidence[]
  /** Targets that hold beside it, so that hearing of them again does not end it. */
  readonly beside: Set<string>
  /** Whatever was heard of before this place holds beside it too. */
  besideUpTo: number
  readonly openedBy: Map<string, Evidence[]>
  /** The latest end that was told. */
  over: Date | null
  /** The place of the evidence that closed it. */
  closedAt: number | undefined
  /** The instant at which the first of its ends was stated. */
  endedAt: number
}

/** A walk through the evidence around some relationships, which opens and closes their periods. */
interface Walk {
  readonly coexist: Coexist
  readonly told: ReadonlyMap<string, readonly Evidence[]>
  /** The place at which each target was first heard of. */
  readonly heardAt: Map<string, number>
  readonly open: Set<Building>
  /** Those that evidence to come may still show to have ended sooner. */
  readonly closed: Set<Building>
}

function periodsOf(
  triples: readonly Evidence[],
  rows: readonly Evidence[],
  { coexist, told }: Pick<Walk, 'coexist' | 'told'>,
): Period[] {
  const walk: Walk = { coexist, told, heardAt: new Map(), open: new Set(), closed: new Set() }
  const periods = new Map(triples.map(of => [keyOf(of), { of, list: [] as Building[] }]))
  const soonest = soonestFrom(rows)
  for (const [n, one] of rows.entries()) {
    const own = periods.get(keyOf(one))
    if (one.onlyEnds) for (const building of walk.open) over(walk, building, { one, n })
    else if (isPast(one)) {
      for (const building of meantBy(walk, one)) close(walk, building, { one, n })
      if (own) end(walk, own, { one, n })
    } else {
      if (own) open(walk, own, { one, n })
      const mine = own?.list.at(-1)
      for (const building of walk.closed) {
        const isSettled = (soonest[n] ?? 0) >= building.endedAt || n - (building.closedAt ?? n) > LOOK_AHEAD
        if (isSettled) walk.closed.delete(building)
        else if (building !== mine) meet(walk, building, { one, n })
      }
      for (const building of walk.open) if (building !== mine) meet(walk, building, { one, n })
      if (!walk.heardAt.has(one.targetId)) walk.heardAt.set(one.targetId, n)
    }
  }
  return [...periods.values()].flatMap(({ of, list }) => toPeriods(of, list))
}

/** It says that something is over: of now it tells nothing but that. */
export function isPast({ closes, validTo, statedAt }: Evidence): boolean {
  return closes || (validTo !== null && validTo <= statedAt)
}

interface Own {
  readonly of: Evidence
  readonly list: Building[]
}

interface Row {
  readonly one: Evidence
  readonly n: number
}

function open(walk: Walk, { of, list }: Own, { one, n }: Row): void {
  const last = list.at(-1)
  const building = last && last.closedAt === undefined ? last : begin(walk, of, list)
  walk.open.add(building)
  building.openings.push(one)
  add(building.openedBy, one.memoryId, one)
  note(building, one)
  const [oldest] = walk.open
  if (oldest && walk.open.size > OPEN_MAX) close(walk, oldest, { one, n })
  if (!ONE_AT_A_TIME.has(one.type)) return
  if (one.isConcurrent) building.besideUpTo = n
  for (const other of walk.told.get(`${one.type} ${one.sourceId} ${one.memoryId}`) ?? [])
    if (!isPast(other) && saidTogether(one, other)) building.beside.add(other.targetId)
}

function end(walk: Walk, { of, list }: Own, row: Row): void {
  const last = list.at(-1)
  // An end that tells its own begin is of another time than one that was over before.
  const building = last && !(last.closedAt !== undefined && isLater(row.one, last)) ? last : begin(walk, of, list)
  note(building, row.one)
  close(walk, building, row)
}

function meantBy({ open, heardAt, coexist }: Walk, one: Evidence): Building[] {
  if (heardAt.has(one.targetId) || !mayNameOtherwise(one)) return []
  return [...open].filter(({ of }) => isOfSource(of, one) && coexist(one.type, one.targetId, of.targetId))
}

/** Ends a period, or adds to what ends it. */
function close(walk: Walk, building: Building, { one, n }: Row): void {
  building.ends.push(one)
  building.endedAt = Math.min(building.endedAt, one.statedAt.getTime())
  if (building.closedAt !== undefined) return
  building.closedAt = n
  walk.open.delete(building)
  if (building.openings.length > 0) walk.closed.add(building)
}

function note(building: Building, one: Evidence): void {
  building.evidence.push(one)
  building.over = latest([building.over, one.validTo])
}

/** A marriage can be ended from either side. */
function over(walk: Walk, building: Building, row: Row): void {
  const { of } = building
  const { one } = row
  if (one.type !== of.type) return
  const own = one.sourceId === of.sourceId && one.targetId === of.targetId
  const any = one.targetId === WILDCARD_TARGET && (one.sourceId === of.sourceId || one.sourceId === of.targetId)
  if (own || any) close(walk, building, row)
}

/** Something else of the kind is said to hold: does it take the place of this? */
function meet(walk: Walk, building: Building, row: Row): void {
  const { one: rival } = row
  const opening = building.openings.at(-1)
  if (!opening || building.openedBy.get(rival.memoryId)?.some(one => saidTogether(one, rival))) return
  if (rival.isConcurrent) building.beside.add(rival.targetId)
  const isBeside =
    building.beside.has(rival.targetId) || (walk.heardAt.get(rival.targetId) ?? Infinity) < building.besideUpTo
  const sameKind = rival.type === opening.type
  if (sameKind && (isBeside || walk.coexist(rival.type, ...otherEnds(rival, opening)))) return
  close(walk, building, row)
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

function begin({ closed }: Walk, of: Evidence, list: Building[]): Building {
  const last = list.at(-1)
  if (last) closed.delete(last)
  const building: Building = {
    of,
    openings: [],
    evidence: [],
    ends: [],
    beside: new Set(),
    besideUpTo: -1,
    openedBy: new Map(),
    over: null,
    closedAt: undefined,
    endedAt: Number.POSITIVE_INFINITY,
  }
  list.push(building)
  return building
}

/** One memory that says both in one breath means both. */
function saidTogether(one: Evidence, other: Evidence): boolean {
  if (one.memoryId !== other.memoryId) return false
  const differs = one.effectiveAt && other.effectiveAt && one.effectiveAt.getTime() !== other.effectiveAt.getTime()
  return !differs
}

function toPeriods({ sourceId, targetId, type }: Evidence, periods: readonly Building[]): Period[] {
  const known = periods.map(({ openings, evidence }) => earliest(statedAtOf(openings.length > 0 ? openings : evidence)))
  return periods.map(({ openings, evidence, ends, closedAt }, n) => {
    const knownFrom = known[n] ?? new Date(0)
    // The one that follows takes over once it is known, even if nobody knew of the end between them then.
    const over = earliest([...statedAtOf(ends), known[n + 1]])
    const foreseen = toldEnd(openings)
    const [first] = ends
    const isClosed = closedAt !== undefined
    const own = new Set(evidence)
    const told = ends.filter(one => own.has(one)).map(one => one.validTo)
    const replaced = first && !own.has(first) ? (first.onlyEnds ? first.validTo : first.validFrom) : null
    // An end that was told before it came was known when it came, and whatever closed it later takes nothing of that back.
    const came = foreseen && over && foreseen <= over ? foreseen : null
    const knownTo = openings.length === 0 || !over || over < knownFrom ? knownFrom : (came ?? over)
    return {
      sourceId,
      targetId,
      type,
      knownFrom,
      knownTo: isClosed ? knownTo : null,
      validFrom: earliest(evidence.map(one => one.validFrom)),
      validTo: isClosed ? (firstOf(told) ?? earliest([came, replaced])) : foreseen,
      evidence,
    }
  })
}

function add(slots: Map<string, Evidence[]>, slot: string, one: Evidence): void {
  const list = slots.get(slot)
  if (list) list.push(one)
  else slots.set(slot, [one])
}

/** People have one employer and one boss, by whatever name. A place can be left for another one within it, so homes are not among these. */
const ONE_BY_ANY_NAME: ReadonlySet<RelationType> = new Set(['WORKS_AT', 'REPORTS_TO'])

/**
 * Tells whether an end may mean what was told by a longer or shorter name: "I no longer work at Virgen del Rocío" after "I work at Hospital
 * Virgen del Rocío". What tells when it was may be of another time.
 */
function mayNameOtherwise({ type, closes, validFrom, validTo }: Evidence): boolean {
  return closes && validFrom === null && validTo === null && ONE_BY_ANY_NAME.has(type)
}

/** Tells whether two statements are about the same of one source. */
function isOfSource(one: Evidence, other: Evidence): boolean {
  return one.type === other.type && one.sourceId === other.sourceId
}
