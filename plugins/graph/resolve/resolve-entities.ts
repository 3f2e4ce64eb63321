import { v7 } from 'uuid'
import type { EntityType, Extraction } from '../contract.ts'
import { type EntityIndex, entityId, type Owner, type ResolvedEntity, settled } from './entity-index.ts'
import { normalName, withoutLegalForm } from './normal-name.ts'

/** One entity that a memory names, in its own words. */
export interface NamedEntity {
  readonly type: EntityType
  readonly isUser: boolean
  /** Never empty: first the one the extraction chose. */
  readonly names: readonly string[]
  readonly normalNames: readonly string[]
}

/** Two entities that are one. */
export interface Merge {
  readonly into: ResolvedEntity
  readonly from: ResolvedEntity
}

/** Tells whether some memory names both separately, so that they are two. */
export type NamedApart = (one: ResolvedEntity, other: ResolvedEntity) => Promise<boolean>

/** The entities that a memory names, with normal names. The user's id is always among them, so that a stated name is told from it. */
export function namesIn(extraction: Extraction, userId: string): NamedEntity[] {
  return extraction.entities.map(({ name, aliases, type, isUser }) => {
    const normal = new Map<string, string>()
    for (const one of [name, ...aliases]) {
      const key = normalName(one)
      if (key === '') continue
      // "Acme Corp" and "ACME Corporation" are Acme.
      const plain = type === 'ORGANIZATION' ? withoutLegalForm(key) : key
      if (!normal.has(plain)) normal.set(plain, one)
      if (!normal.has(key)) normal.set(key, one)
    }
    const named = { type, isUser, names: [...normal.values()], normalNames: [...normal.keys()] }
    if (!isUser || named.names.includes(userId)) return named
    return { ...named, names: [...named.names, userId], normalNames: [...named.normalNames, normalName(userId)] }
  })
}

/**
 * Finds the entity that each name stands for, or makes one: the user's own; else of the same type the one that goes by the
 * name, if only one does; else the one that goes by one of the aliases. A memory that says that two names are one person's
 * makes one of the two entities.
 */
export async function resolveEntities(
  owner: Owner,
  index: EntityIndex,
  named: readonly NamedEntity[],
  namedApart: NamedApart,
): Promise<{ entities: ResolvedEntity[]; merges: Merge[] }> {
  const merges: Merge[] = []
  const entities: ResolvedEntity[] = []
  for (const one of named) {
    const entity = one.isUser ? userEntity(owner, index, one) : (find(index, one) ?? make(owner, index, one))
    for (const other of others(index, entity, one)) {
      const apart = entities.map(settled).includes(other) || (await bothThere(namedApart, entity, other))
      if (apart) continue
      const [into, from] = inOrder(settled(entity), other)
      index.unite(into, from)
      merges.push({ into, from })
    }
    const final = settled(entity)
    for (const name of one.normalNames) index.addName(final, name)
    entities.push(entity)
  }
  return { entities: entities.map(settled), merges }
}

function userEntity(owner: Owner, index: EntityIndex, named: NamedEntity): ResolvedEntity {
  const known = index.user
  if (known) return known
  const entity = find(index, named) ?? make(owner, index, named)
  index.makeUser(entity)
  return entity
}

function find(index: EntityIndex, { type, normalNames }: NamedEntity): ResolvedEntity | undefined {
  const [main = '', ...aliases] = normalNames
  const exact = index.named(type, main)
  if (exact.length > 0) {
    // Prefer the entity without other names among several that go by it.
    return exact.length === 1 ? exact[0] : exact.find(({ names }) => [...names].every(name => fits(name, main)))
  }
  for (const alias of aliases) {
    const [only, more] = index.named(type, alias).filter(entity => mayShare(alias, main, entity))
    if (only && !more) return only
  }
  return undefined
}

function make(owner: Owner, index: EntityIndex, { type, normalNames, isUser }: NamedEntity): ResolvedEntity {
  const [main = ''] = normalNames
  const stable = entityId(owner, type, main)
  const entity: ResolvedEntity = {
    id: index.isTaken(stable) ? v7() : stable,
    type,
    isUser,
    isNew: true,
    names: new Set(),
    sameAs: undefined,
  }
  index.add(entity)
  return entity
}

/** Entities that go by one of the names and by that are the same as `entity`. */
function others(index: EntityIndex, entity: ResolvedEntity, named: NamedEntity): ResolvedEntity[] {
  const [main = ''] = named.normalNames
  const found = named.normalNames.flatMap(name => {
    const [only, more] = index.named(named.type, name).filter(other => other !== entity)
    return only && !more && !only.isUser && mayShare(name, main, only) ? [only] : []
  })
  return [...new Set(found)]
}

async function bothThere(namedApart: NamedApart, one: ResolvedEntity, other: ResolvedEntity): Promise<boolean> {
  return !one.isNew && !other.isNew && namedApart(one, other)
}

/** The user's own entity stays, else the older one. */
function inOrder(one: ResolvedEntity, other: ResolvedEntity): [ResolvedEntity, ResolvedEntity] {
  if (other.isUser || (one.isNew && !other.isNew && !one.isUser)) return [other, one]
  return [one, other]
}

/** "Ada" is short for many names: that of "Ada Okafor" is no alias of "Ada Byron". */
function mayShare(alias: string, main: string, { names }: ResolvedEntity): boolean {
  if (alias === main || !fits(alias, main)) return true
  return [...names].every(name => !name.includes(' ') || fits(name, main) || fits(main, name))
}

/** Tells whether all words of `part` are words of `whole`. */
function fits(part: string, whole: string): boolean {
  const words = new Set(whole.split(' '))
  return part.split(' ').every(word => words.has(word))
}
