import { ENTITY_TYPES, type EntityType } from '../contract.ts'

/** Mentions of one user's memories that say the same: who is meant, by which names, of what type. */
export interface MentionGroup {
  readonly isUser: boolean
  /** Never empty: first the one it is mainly called by. */
  readonly normalNames: readonly string[]
  readonly type: EntityType
  /** Relationships in the text bear the type out; otherwise it is the extractor's guess. */
  readonly isFirm: boolean
  /** The sum of their confidences. */
  readonly weight: number
  /** The instant at which the first of them was stated. */
  readonly statedAt: Date
}

/** An entity as its mentions make it. */
export interface FoldedEntity<Group extends MentionGroup> {
  readonly type: EntityType
  readonly isUser: boolean
  readonly groups: readonly Group[]
}

/** Tells whether one memory names both, so that they are two. */
export type NamedApart<Group extends MentionGroup> = (one: Group, other: Group) => boolean

/**
 * Folds mentions into entities, whatever the order in which they came: one name is one entity, whose type is the one that its
 * evidence bears most. A name stands for two where a memory names two by it, or where it is said of a person and of something that
 * can be none. Names that a memory gives to one entity tie what goes by either.
 */
export function foldEntities<Group extends MentionGroup>(
  groups: readonly Group[],
  apart: NamedApart<Group>,
): FoldedEntity<Group>[] {
  const ordered = groups.toSorted(byFirst)
  const clusters = [...Map.groupBy(ordered, mainOf).values()].flatMap(own => split(own, apart))
  const sets = new Clusters(clusters, apart)
  sets.uniteUsers()
  for (const [one, other] of ties(ordered)) sets.unite(one, other)
  return sets
    .all()
    .map(own => ({ type: typeOf(own), isUser: own.some(({ isUser }) => isUser), groups: own.toSorted(byFirst) }))
    .toSorted((a, b) => Number(b.isUser) - Number(a.isUser) || compareFirst(a.groups, b.groups))
}

function mainOf({ normalNames }: MentionGroup): string {
  return normalNames[0] ?? ''
}

function byFirst(a: MentionGroup, b: MentionGroup): number {
  const [one, other] = [keyOf(a), keyOf(b)]
  return a.statedAt.getTime() - b.statedAt.getTime() || (one < other ? -1 : Number(one > other))
}

function keyOf({ normalNames, type, isFirm, isUser }: MentionGroup): string {
  return JSON.stringify([normalNames, type, isFirm, isUser])
}

function compareFirst(a: readonly MentionGroup[], b: readonly MentionGroup[]): number {
  const [one, other] = [a[0], b[0]]
  return one && other ? byFirst(one, other) : a.length - b.length
}

/** The type that evidence bears most: what relationships bear out goes before what extractors guessed. */
function typeOf(groups: readonly MentionGroup[]): EntityType {
  return typesOf(groups)[0] ?? 'THING'
}

/** The types of mentions, the strongest first; of equally strong ones always the same. */
function typesOf(groups: readonly MentionGroup[]): EntityType[] {
  const strength = (type: EntityType, firm: boolean) =>
    groups.filter(one => one.type === type && isSure(one) === firm).reduce((sum, { weight }) => sum + weight, 0)
  return ENTITY_TYPES.filter(type => groups.some(one => one.type === type)).toSorted(
    (a, b) => strength(b, true) - strength(a, true) || strength(b, false) - strength(a, false),
  )
}

function isSure({ isFirm, isUser }: MentionGroup): boolean {
  return isFirm || isUser
}

function isPerson({ type }: MentionGroup): boolean {
  return type === 'PERSON'
}

/** Tells whether some are certainly a person and others certainly none. */
function clash(groups: readonly MentionGroup[]): boolean {
  const sure = groups.filter(isSure)
  return sure.some(isPerson) && !sure.every(isPerson)
}

/** Splits the mentions of one name into those of a person, of a place, and so on, where the texts themselves tell them apart. */
function split<Group extends MentionGroup>(groups: readonly Group[], apart: NamedApart<Group>): Group[][] {
  const byType = typesOf(groups).map(type => groups.filter(one => one.type === type))
  const people = byType.filter(own => own.some(isPerson)).flat()
  const rest = byType.filter(own => !own.some(isPerson))
  const areTwo = clash(groups) || people.some(one => rest.flat().some(other => apart(one, other)))
  const buckets: Group[][] = areTwo ? [people] : []
  for (const own of areTwo ? rest : byType) {
    const fitting = buckets
      .slice(areTwo ? 1 : 0)
      .find(bucket => !bucket.some(one => own.some(other => apart(one, other))))
    if (fitting) fitting.push(...own)
    else buckets.push([...own])
  }
  return buckets
}

/** Clusters that become one as names tie them. */
class Clusters<Group extends MentionGroup> {
  readonly #ofGroup = new Map<Group, Group[]>()

  constructor(
    clusters: readonly Group[][],
    private readonly apart: NamedApart<Group>,
  ) {
    for (const cluster of clusters) for (const group of cluster) this.#ofGroup.set(group, cluster)
  }

  all(): Group[][] {
    return [...new Set(this.#ofGroup.values())]
  }

  uniteUsers(): void {
    const own = this.all().filter(cluster => cluster.some(({ isUser }) => isUser))
    this.#join(own.flat())
  }

  unite(one: Group, other: Group): void {
    const [a, b] = [this.#ofGroup.get(one) ?? [], this.#ofGroup.get(other) ?? []]
    if (a === b || clash([...a, ...b]) || a.some(mine => b.some(theirs => this.apart(mine, theirs)))) return
    this.#join([...a, ...b])
  }

  #join(groups: Group[]): void {
    for (const group of groups) this.#ofGroup.set(group, groups)
  }
}

/** Pairs of mentions that a name of both ties, in an order that is the same whenever they come. */
function ties<Group extends MentionGroup>(ordered: readonly Group[]): [Group, Group][] {
  const byMain = Map.groupBy(ordered, mainOf)
  const claims = new Map<string, Group[]>()
  for (const group of ordered) {
    for (const alias of group.normalNames.slice(1)) claims.set(alias, [...(claims.get(alias) ?? []), group])
  }
  const found: { readonly pair: [Group, Group]; readonly alias: string }[] = []
  for (const [alias, claimants] of claims) {
    const [short, other] = [claimants.filter(one => isShort(alias, one)), claimants.filter(one => !isShort(alias, one))]
    // "Ada" is short for many names, and ties no two of them.
    const tying = areOfOneName(short) ? claimants : other
    for (const one of tying) {
      const named = (byMain.get(alias) ?? []).toSorted(
        (a, b) => Number(isPerson(b) === isPerson(one)) - Number(isPerson(a) === isPerson(one)),
      )
      for (const target of [...named, ...tying]) if (target !== one) found.push({ pair: [one, target], alias })
    }
  }
  return found
    .toSorted((a, b) => byFirst(a.pair[0], b.pair[0]) || (a.alias < b.alias ? -1 : Number(a.alias > b.alias)))
    .map(({ pair }) => pair)
}

function isShort(alias: string, group: MentionGroup): boolean {
  return fits(alias, mainOf(group))
}

function areOfOneName(groups: readonly MentionGroup[]): boolean {
  const mains = [...new Set(groups.map(mainOf))]
  return mains.every(one => mains.every(other => fits(one, other) || fits(other, one)))
}

/** Tells whether all words of `part` are words of `whole`. */
function fits(part: string, whole: string): boolean {
  const words = new Set(whole.split(' '))
  return part.split(' ').every(word => words.has(word))
}
