import type { Fragment, Tx } from 'mneme/plugin'
import type { EntityType } from '../contract.ts'
import { type At, holds } from './instants.ts'
import { namingMentions } from './naming-mentions.ts'

export interface ListedEntity {
  readonly id: string
  readonly name: string
  readonly type: EntityType
  readonly description: string | null
  readonly created_at: Date
}

export interface EntityFilter {
  readonly userId?: string | undefined
  readonly type?: EntityType | undefined
  readonly at?: At
}

/** One page of the entities that pass the filter, newest first, with the exact number of all of them. */
export async function listEntities(
  tx: Tx,
  workspaceId: string,
  filter: EntityFilter,
  page: number,
  pageSize: number,
): Promise<{ rows: ListedEntity[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    tx<ListedEntity[]>`
      select entity.id, entity.name, entity.type, entity.description, entity.created_at
      from graph.entity
      where entity.workspace_id = ${workspaceId}
        ${conditions(tx, filter)}
      order by entity.created_at desc, entity.id desc
      limit ${pageSize}
      offset ${(page - 1) * pageSize}`,
    tx<{ total: number }[]>`
      select count(*) as total
      from graph.entity
      where entity.workspace_id = ${workspaceId}
        ${conditions(tx, filter)}`,
  ])
  return { rows, total: counted?.total ?? 0 }
}

/** The conditions of a filter on `entity`, each with its `and`. */
export function conditions(tx: Tx, { userId, type, at }: EntityFilter) {
  return tx`
    ${userId === undefined ? tx`` : tx`and entity.user_id = ${userId}`}
    ${type === undefined ? tx`` : tx`and entity.type = ${type}`}
    ${at === undefined ? tx`` : tx`and entity.known_from <= ${at}`}`
}

export interface EntityDetails extends ListedEntity {
  readonly metadata: Record<string, unknown> | null
  readonly user_id: string
  readonly normal_name: string
  readonly updated_at: Date
  readonly relationships: number
  readonly aliases: readonly string[]
}

/** Names shown of one entity beside its own. */
const ALIASES_SHOWN = 50

/** One entity with all that get-one shows but its memories. */
export async function findEntity(tx: Tx, workspaceId: string, id: string): Promise<EntityDetails | undefined> {
  const [row] = await tx<EntityDetails[]>`
    select
      entity.id, entity.name, entity.type, entity.description, entity.created_at, entity.metadata, entity.user_id,
      entity.normal_name, entity.updated_at,
      (
        select count(*)
        from graph.edge
        where edge.workspace_id = ${workspaceId}
          and edge.source_id = entity.id
          and ${holds(tx, undefined)}
      ) + (
        select count(*)
        from graph.edge
        where edge.workspace_id = ${workspaceId}
          and edge.target_id = entity.id
          and ${holds(tx, undefined)}
      ) as relationships,
      to_json(array(
        select min(named.name)
        from (${namingMentions(tx, workspaceId, tx`mention.entity_id = entity.id`)}) as mention
        cross join lateral unnest(mention.names, mention.normal_names) as named (name, normal_name)
        where named.normal_name <> entity.normal_name
        group by named.normal_name
        order by count(*) desc, named.normal_name
        limit ${ALIASES_SHOWN}
      )) as aliases
    from graph.entity
    where entity.workspace_id = ${workspaceId}
      and entity.id = ${id}`
  return row
}

/** Selects the memories that name an entity, visible or not, by a condition on `mention`. */
export function memoriesNaming(tx: Tx, workspaceId: string, which: Fragment) {
  return tx`
    select mention.memory_id
    from graph.mention
    where mention.workspace_id = ${workspaceId}
      and ${which}`
}

/** An entity by name and type; undefined when the workspace had none of this id then. */
export async function findReference(
  tx: Tx,
  workspaceId: string,
  id: string,
  at: At,
): Promise<{ id: string; name: string; type: EntityType } | undefined> {
  const [row] = await tx<{ id: string; name: string; type: EntityType }[]>`
    select entity.id, entity.name, entity.type
    from graph.entity
    where entity.workspace_id = ${workspaceId}
      ${conditions(tx, { at })}
      and entity.id = ${id}`
  return row
}
