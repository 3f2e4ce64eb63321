import { createHash } from 'node:crypto'
import { plainArray, type Tx, textArray } from 'mneme/plugin'
import type { EntityType } from '../contract.ts'

/** The owner of the graph. */
export interface Owner {
  readonly workspaceId: string
  readonly userId: string
}

/** An entity as resolving sees it; its names are normal ones. */
export interface ResolvedEntity {
  readonly id: string
  readonly type: EntityType
  isUser: boolean
  readonly isNew: boolean
  readonly names: Set<string>
  /** The entity that it turned out to be. */
  sameAs: ResolvedEntity | undefined
}

/** Names of one entity that are looked at; nobody goes by more. */
const NAMES_MAX = 50

/** The entities of a user that go by some names, those that are there and those that come in this transaction. */
export class EntityIndex {
  readonly #byName = new Map<string, Set<ResolvedEntity>>()
  readonly #taken = new Set<string>()
  #user: ResolvedEntity | undefined

  constructor(known: readonly ResolvedEntity[]) {
    for (const entity of known) this.add(entity)
  }

  add(entity: ResolvedEntity): void {
    this.#taken.add(entity.id)
    if (entity.isUser) this.#user = entity
    for (const name of entity.names) this.addName(entity, name)
  }

  addName(entity: ResolvedEntity, name: string): void {
    entity.names.add(name)
    const entities = this.#byName.get(name)
    if (entities) entities.add(entity)
    else this.#byName.set(name, new Set([entity]))
  }

  get user(): ResolvedEntity | undefined {
    return this.#user && settled(this.#user)
  }

  makeUser(entity: ResolvedEntity): void {
    entity.isUser = true
    this.#user = entity
  }

  /** Finds the entities of a type that go by a name. */
  named(type: EntityType, name: string): ResolvedEntity[] {
    const found = [...(this.#byName.get(name) ?? [])].map(settled).filter(entity => entity.type === type)
    return [...new Set(found)]
  }

  isTaken(id: string): boolean {
    return this.#taken.has(id)
  }

  /** From now on `from` is `into`. */
  unite(into: ResolvedEntity, from: ResolvedEntity): void {
    from.sameAs = into
    for (const name of from.names) this.addName(into, name)
    if (from.isUser) this.makeUser(into)
  }
}

/** The entity that one turned out to be. */
export function settled(entity: ResolvedEntity): ResolvedEntity {
  let current = entity
  while (current.sameAs) current = current.sameAs
  return current
}

/** The same name makes the same entity again after all that named it went, so that its id is stable over updates. */
export function entityId({ workspaceId, userId }: Owner, type: EntityType, normalName: string): string {
  const hash = createHash('sha256').update([workspaceId, userId, type, normalName].join('\n')).digest()
  // A UUID of version 8: whatever its maker likes.
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/**
 * Loads the user's own entity, those that go by one of the names, and those of `ids`, each with all its names. One whose last
 * mention was just withdrawn goes by the name it had.
 */
export async function loadIndex(
  tx: Tx,
  { workspaceId, userId }: Owner,
  names: readonly string[],
  ids: readonly string[],
): Promise<EntityIndex> {
  const known = await tx<
    { id: string; type: EntityType; is_user: boolean; normal_name: string; names: string | null }[]
  >`
    with wanted as (
      select name.entity_id
      from graph.name
      where name.workspace_id = ${workspaceId}
        and name.user_id = ${userId}
        and name.normal_name = any(${textArray(names)}::text[])
      union
      select entity.id
      from graph.entity
      where entity.workspace_id = ${workspaceId}
        and entity.user_id = ${userId}
        and entity.is_user
      union
      select entity.id
      from graph.entity
      where entity.workspace_id = ${workspaceId}
        and entity.id = any(${plainArray(ids)}::uuid[])
    )
    select
      entity.id, entity.type, entity.is_user, entity.normal_name,
      (
        select json_agg(own.normal_name)
        from (
          select name.normal_name
          from graph.name
          where name.workspace_id = ${workspaceId}
            and name.entity_id = entity.id
          order by name.normal_name = any(${textArray(names)}::text[]) desc
          limit ${NAMES_MAX}
        ) as own
      )::text as names
    from wanted
    join graph.entity on entity.workspace_id = ${workspaceId} and entity.id = wanted.entity_id
    order by entity.created_at, entity.id`
  return new EntityIndex(
    known.map(row => ({
      id: row.id,
      type: row.type,
      isUser: row.is_user,
      isNew: false,
      names: row.names === null ? new Set([row.normal_name]) : namesOf(row.names),
      sameAs: undefined,
    })),
  )
}

function namesOf(json: string): Set<string> {
  const names: unknown = JSON.parse(json)
  return new Set(Array.isArray(names) ? names.map(String) : [])
}
