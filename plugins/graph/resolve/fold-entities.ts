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

/** The mentions that a memory names beside one, so that they are of others. */
export type NamedBeside<Group extends MentionGroup> = (one: Group) => Iterable<Group>

/**
 * Folds mentions into entities, whatever the order in which they came: one name is one entity, whose type is the one that its
 * evidence bears most. A name stands for two where a memory names two by it, or where it is said of a person and of something that
 * can be none. Names that a memory gives to one entity tie what goes by either, and a person called in short is the one who bears
 * that name, as long as nobody else does.
 */
export function foldEntities<Group extends MentionGroup>(
  groups: readonly Group[],
  beside: NamedBeside<Group>,
): FoldedEntity<Group>[] {
  const ordered = inOrder(groups)
  const byMain = Map.groupBy(ordered, mainOf)
  const sets = new Clusters(
    [...byMain.values()].flatMap(own => split(own, beside)),
    beside,
  )
  sets.uniteUsers()
  tie(ordered, byMain, sets)
  joinShortNames(ordered, byMain, sets)
  return [...Map.groupBy(ordered, group => sets.of(group)).values()]
    .map(own => ({ type: typeOf(own), isUser: own.some(({ isUser }) => isUser), groups: own }))
    .toSorted((a, b) => Number(b.isUser) - Number(a.isUser))
}

function mainOf({ normalNames }: MentionGroup): string {
  return normalNames[0] ?? ''
}

/** The first stated first, in an order that is the same whenever they come. */
function inOrder<Group extends MentionGroup>(groups: readonly Group[]): Group[] {
  return groups
    .map(group => {
      const { normalNames, type, isFirm, isUser, statedAt } = group
      return { group, at: statedAt.getTime(), key: JSON.stringify([normalNames, type, isFirm, isUser]) }
    })
    .toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ group }) => group)
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

/** Splits the mentions of one name into those of a person, of a place, and so on, where the texts themselves tell them apart. */
function split<Group extends MentionGroup>(groups: readonly Group[], beside: NamedBeside<Group>): Group[][] {
  const byType = typesOf(groups).map(type => groups.filter(one => one.type === type))
  const people = byType.filter(own => own.some(isPerson)).flat()
  const rest = byType.filter(own => !own.some(isPerson))
  const sure = groups.filter(isSure)
  const clash = sure.some(isPerson) && !sure.every(isPerson)
  const areTwo = clash || areApart(people, new Set(rest.flat()), beside)
  const buckets: Set<Group>[] = areTwo ? [new Set(people)] : []
  for (const own of areTwo ? rest : byType) {
    const fitting = buckets.slice(areTwo ? 1 : 0).find(bucket => !areApart(own, bucket, beside))
    if (fitting) for (const one of own) fitting.add(one)
    else buckets.push(new Set(own))
  }
  return buckets.map(bucket => [...bucket])
}

function areApart<Group extends MentionGroup>(
  some: readonly Group[],
  others: { has(group: Group): boolean },
  beside: NamedBeside<Group>,
): boolean {
  return some.some(one => {
    for (const other of beside(one)) if (others.has(other)) return true
    return false
  })
}

interface Cluster<Group extends MentionGroup> {
  readonly groups: Group[]
  /** It has a mention that is certainly of a person. */
  isPerson: boolean
  /** It has a mention that is certainly of something else. */
  isOther: boolean
}

/** Clusters that become one as names tie them. */
class Clusters<Group extends MentionGroup> {
  readonly #ofGroup = new Map<Group, Cluster<Group>>()

  constructor(
    clusters: readonly Group[][],
    private readonly beside: NamedBeside<Group>,
  ) {
    for (const groups of clusters) {
      const sure = groups.filter(isSure)
      const cluster = { groups, isPerson: sure.some(isPerson), isOther: !sure.every(isPerson) }
      for (const group of groups) this.#ofGroup.set(group, cluster)
    }
  }

  of(group: Group): Cluster<Group> | undefined {
    return this.#ofGroup.get(group)
  }

  /** The clusters of people that some mentions are in. */
  peopleAmong(groups: readonly Group[]): Cluster<Group>[] {
    const clusters = new Set(groups.flatMap(group => this.of(group) ?? []))
    return [...clusters].filter(cluster => typeOf(cluster.groups) === 'PERSON')
  }

  uniteUsers(): void {
    const [first, ...others] = new Set([...this.#ofGroup].flatMap(([{ isUser }, own]) => (isUser ? [own] : [])))
    if (first) others.reduce((one, other) => this.#join(one, other), first)
  }

  /** @returns whether they are one; if not, they never will be, whatever else either is united with */
  unite(one: Group, other: Group): boolean {
    const [a, b] = [this.of(one), this.of(other)]
    if (!a || !b || a === b) return a === b
    if ((a.isPerson || b.isPerson) && (a.isOther || b.isOther)) return false
    const [small, large] = a.groups.length < b.groups.length ? [a, b] : [b, a]
    if (areApart(small.groups, { has: group => this.of(group) === large }, this.beside)) return false
    this.#join(large, small)
    return true
  }

  /** Moves the smaller one, so that a group moves seldom however many are joined. */
  #join(one: Cluster<Group>, other: Cluster<Group>): Cluster<Group> {
    const [small, large] = one.groups.length < other.groups.length ? [one, other] : [other, one]
    for (const group of small.groups) {
      this.#ofGroup.set(group, large)
      large.groups.push(group)
    }
    large.isPerson ||= small.isPerson
    large.isOther ||= small.isOther
    return large
  }
}

/** Unites mentions that a name of both ties, in an order that is the same whenever they come. */
function tie<Group extends MentionGroup>(
  ordered: readonly Group[],
  byMain: ReadonlyMap<string, readonly Group[]>,
  sets: Clusters<Group>,
): void {
  const claims = claimsOf(ordered)
  for (const one of ordered) {
    for (const alias of one.normalNames.slice(1).toSorted()) {
      const open = claims.get(alias)
      // One that was united with an earlier claimant was tied to all that it can be tied to by this alias.
      if (!open?.delete(one)) continue
      const named = Map.groupBy(byMain.get(alias) ?? [], other => isPerson(other) === isPerson(one))
      for (const other of [...(named.get(true) ?? []), ...(named.get(false) ?? []), ...open])
        if (other !== one && sets.unite(one, other)) open.delete(other)
    }
  }
}

/** The mentions that go by an alias, and that it ties. */
function claimsOf<Group extends MentionGroup>(ordered: readonly Group[]): Map<string, Set<Group>> {
  const claimants = new Map<string, Set<Group>>()
  for (const group of ordered) {
    for (const alias of group.normalNames.slice(1)) {
      const own = claimants.get(alias)
      if (own) own.add(group)
      else claimants.set(alias, new Set([group]))
    }
  }
  for (const [alias, own] of claimants) {
    const short = [...own].filter(group => fits(alias, mainOf(group)))
    // "Ada" is short for many names, and ties no two of them.
    if (!areOfOneName(short)) for (const group of short) own.delete(group)
  }
  return claimants
}

/** Joins people called by a part of a name with the only one who bears it; the longest parts first, which name fewer. */
function joinShortNames<Group extends MentionGroup>(
  ordered: readonly Group[],
  byMain: ReadonlyMap<string, readonly Group[]>,
  sets: Clusters<Group>,
): void {
  const bearers = new Map<string, Group[]>()
  for (const group of ordered.filter(isPerson))
    for (const short of group.normalNames.flatMap(shortNamesOf)) {
      if (!byMain.has(short)) continue
      const own = bearers.get(short)
      if (own) own.push(group)
      else bearers.set(short, [group])
    }
  const shorts = [...bearers.keys()].toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
  for (const short of shorts) {
    const people = sets.peopleAmong(bearers.get(short) ?? [])
    const [whole, ...others] = people
    const [bearer] = whole?.groups ?? []
    if (!whole || !bearer || others.length > 0 || isOfUser(whole)) continue
    const own = new Set(namesOf(whole).flatMap(name => [name, ...shortNamesOf(name)]))
    for (const called of sets.peopleAmong(byMain.get(short) ?? [])) {
      const [one] = called.groups
      // One who has another name as well need not be the bearer of this one.
      if (one && !isOfUser(called) && namesOf(called).every(name => own.has(name))) sets.unite(one, bearer)
    }
  }
}

function namesOf({ groups }: { readonly groups: readonly MentionGroup[] }): string[] {
  return [...new Set(groups.flatMap(({ normalNames }) => normalNames))]
}

function isOfUser({ groups }: { readonly groups: readonly MentionGroup[] }): boolean {
  return groups.some(({ isUser }) => isUser)
}

function areOfOneName(groups: readonly MentionGroup[]): boolean {
  const mains = [...new Set(groups.map(mainOf))].toSorted(
    (a, b) => new Set(a.split(' ')).size - new Set(b.split(' ')).size,
  )
  return mains.every((main, n) => fits(mains[n - 1] ?? main, main))
}

/** Tells whether all words of `part` are words of `whole`. */
function fits(part: string, whole: string): boolean {
  const words = new Set(whole.split(' '))
  return part.split(' ').every(word => words.has(word))
}

/** The names by which somebody may be called in short: the first or the last words of the whole name, as "bram" or "de wit" of "bram de wit". */
function shortNamesOf(normalName: string): string[] {
  const words = normalName.split(' ')
  return words.slice(1).flatMap((_, n) => [words.slice(0, n + 1).join(' '), words.slice(n + 1).join(' ')])
}
