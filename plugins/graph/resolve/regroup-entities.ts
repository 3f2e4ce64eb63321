import { plainArray, type Tx } from 'mneme/plugin'
import { v7 } from 'uuid'
import type { EntityType } from '../contract.ts'
import { type FoldedEntity, foldEntities, type MentionGroup } from './fold-entities.ts'
import { type MovedMentions, moveMentions, nameEntities, type Triple } from './move-mentions.ts'
import { isSameIn, type NamedEntity } from './named-entity.ts'
import { entityId, type Owner } from './owner.ts'
import { type StoredGroup, storedMentions } from './stored-mentions.ts'

/** An entity that mentions make. */
export interface SettledEntity {
  readonly id: string
  readonly type: EntityType
  readonly isUser: boolean
  readonly normalName: string
}

export interface Regrouped {
  /** For each memory the ids of what it names, in its order. */
  readonly ids: readonly (readonly string[])[]
  readonly entities: readonly SettledEntity[]
  /** Entities that are to be refreshed: those above, and those that mentions moved away from. */
  readonly entityIds: readonly string[]
  /** Relationships to derive again. */
  readonly triples: readonly Triple[]
}

interface AddedGroup extends MentionGroup {
  readonly memory: number
  readonly place: number
}

type Group = StoredGroup | AddedGroup

/** Names whose mentions may make other entities than before. */
export interface Unfolded {
  readonly names: readonly string[]
  /** Entities that lost mentions. */
  readonly entityIds: readonly string[]
}

/**
 * Folds the mentions that are stored and those that come into entities, and moves the stored ones that are now another's. The caller
 * holds the user's lock, and refreshes the entities.
 */
export async function regroupEntities(
  tx: Tx,
  owner: Owner,
  { names, entityIds }: Unfolded,
  added: readonly { readonly named: readonly NamedEntity[]; readonly statedAt: Date }[] = [],
): Promise<Regrouped> {
  const fresh = added.flatMap(({ named, statedAt }, memory) => addedGroups(named, statedAt, memory))
  const wanted = new Set([...names, ...fresh.flatMap(({ normalNames }) => normalNames)])
  if (wanted.size === 0 && entityIds.length === 0)
    return { ids: added.map(() => []), entities: [], entityIds: [], triples: [] }
  const stored = await storedMentions(tx, owner, [...wanted], entityIds)
  const folded = foldEntities<Group>([...stored.groups, ...fresh], namedBeside(fresh, stored.apart))
  const free = await reusable(tx, owner, folded, entityIds)
  const settled = idsFor(owner, folded, { userEntityId: stored.userEntityId, ...free })
  await nameEntities(tx, owner, settled)
  const moves = settled.flatMap(({ id, groups }) =>
    groups.flatMap((group): MovedMentions[] =>
      'entityId' in group && group.entityId !== id ? [{ ...group, intoId: id }] : [],
    ),
  )
  const triples = await moveMentions(tx, owner, moves)
  const idOf = new Map(settled.flatMap(({ id, groups }) => groups.map(group => [group, id] as const)))
  const placed = new Map(
    fresh.flatMap(group => named(added, group).map(n => [`${group.memory} ${n}`, idOf.get(group) ?? ''] as const)),
  )
  return {
    ids: added.map(({ named }, memory) => named.map((_, n) => placed.get(`${memory} ${n}`) ?? '')),
    entities: settled,
    entityIds: [...new Set([...settled.map(({ id }) => id), ...moves.map(move => move.entityId)])],
    triples,
  }
}

/** The places in its memory of all that a group stands for. */
function named(added: Parameters<typeof regroupEntities>[3] & object, { memory, place }: AddedGroup): number[] {
  const all = added[memory]?.named ?? []
  const own = all[place]
  return all.flatMap((one, n) => (own && isSameIn(own, one) ? [n] : []))
}

function addedGroups(named: readonly NamedEntity[], statedAt: Date, memory: number): AddedGroup[] {
  return named.flatMap((one, place) => {
    const same = named.filter(other => isSameIn(one, other))
    if (same[0] !== one) return []
    return [
      {
        memory,
        place,
        isUser: one.isUser,
        normalNames: [...new Set(same.flatMap(({ normalNames }) => normalNames))],
        type: one.type,
        isFirm: same.some(({ isFirm }) => isFirm),
        weight: Math.max(...same.map(({ confidence }) => confidence)),
        statedAt,
      },
    ]
  })
}

function namedBeside(
  fresh: readonly AddedGroup[],
  apart: readonly (readonly [StoredGroup, StoredGroup])[],
): (one: Group) => Iterable<Group> {
  const byMemory = Map.groupBy(fresh, ({ memory }) => memory)
  const pairs = Map.groupBy(
    apart.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]),
    ([one]) => one,
  )
  const stored = new Map([...pairs].map(([one, own]) => [one, own.map(([, other]) => other)]))
  return one => ('memory' in one ? byMemory.get(one.memory) : stored.get(one)) ?? []
}

interface Free {
  readonly userEntityId: string | undefined
  /** Ids that are taken by entities with mentions. */
  readonly taken: ReadonlySet<string>
  /** Entities that lost all their mentions just now, by their normal names. */
  readonly bare: ReadonlyMap<string, string>
}

/** Finds which of the ids made of names other entities have, and which entities have nothing left but their names. */
async function reusable(
  tx: Tx,
  { workspaceId, ...owner }: Owner,
  folded: readonly FoldedEntity<Group>[],
  withdrawn: readonly string[],
): Promise<Pick<Free, 'taken' | 'bare'>> {
  const stable = folded.map(one => entityId({ workspaceId, ...owner }, mainName(one)))
  const rows = await tx<{ id: string; normal_name: string; is_named: boolean }[]>`
    select
      entity.id, entity.normal_name,
      exists (
        select
        from graph.mention
        where mention.workspace_id = ${workspaceId}
          and mention.entity_id = entity.id
      ) as is_named
    from graph.entity
    where entity.workspace_id = ${workspaceId}
      and entity.id = any(${plainArray([...stable, ...withdrawn])}::uuid[])`
  const bare = rows.filter(({ is_named }) => !is_named)
  return {
    taken: new Set(rows.flatMap(({ id, is_named }) => (is_named ? [id] : []))),
    bare: new Map(bare.map(({ id, normal_name }) => [normal_name, id])),
  }
}

/** Each keeps the id of its oldest mention, the user the own one; a new one has an id made of its name, where that is free. */
function idsFor(owner: Owner, folded: readonly FoldedEntity<Group>[], { userEntityId, taken, bare }: Free) {
  const given = new Set<string>()
  return folded.map(one => {
    const name = mainName(one)
    const known = one.groups.flatMap(group => ('entityId' in group ? [group.entityId] : []))
    const stable = entityId(owner, name)
    const candidates = [
      ...(one.isUser && userEntityId !== undefined ? [userEntityId] : []),
      ...known.filter(id => one.isUser || id !== userEntityId),
      ...[bare.get(name) ?? []].flat(),
      ...(taken.has(stable) ? [] : [stable]),
    ]
    const id = candidates.find(candidate => !given.has(candidate)) ?? v7()
    given.add(id)
    return { ...one, id, normalName: name }
  })
}

function mainName({ groups }: FoldedEntity<Group>): string {
  return groups[0]?.normalNames[0] ?? ''
}
