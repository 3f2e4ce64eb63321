import { plainArray, type Tx } from 'mneme/plugin'
import { v7 } from 'uuid'
import type { EntityType } from '../contract.ts'
import { entityId, type Owner } from './entity-index.ts'
import { moveEvidence, type Triple } from './merge-entities.ts'
import { dropNames } from './refresh-entities.ts'

/** Mentions of an entity that bear the same names. */
export interface MentionGroup {
  readonly isUser: boolean
  readonly normalNames: readonly string[]
  readonly memoryIds: readonly string[]
  /** The instant at which the first of them was stated. */
  readonly statedAt: Date
}

/** Groups that a name ties together, or that all say they are the user; the one that keeps the entity comes first. */
export function componentsOf(groups: readonly MentionGroup[]): MentionGroup[][] {
  const components: { names: Set<string>; isUser: boolean; groups: MentionGroup[] }[] = []
  for (const group of groups) {
    const [tied, apart] = [[], []] as [typeof components, typeof components]
    for (const component of components) {
      const isTied =
        (group.isUser && component.isUser) || group.normalNames.some(normalName => component.names.has(normalName))
      if (isTied) tied.push(component)
      else apart.push(component)
    }
    const united = {
      names: new Set([...group.normalNames, ...tied.flatMap(({ names }) => [...names])]),
      isUser: group.isUser || tied.some(({ isUser }) => isUser),
      groups: [...tied.flatMap(component => component.groups), group],
    }
    components.splice(0, components.length, ...apart, united)
  }
  return components
    .toSorted((a, b) => Number(b.isUser) - Number(a.isUser) || firstOf(a.groups) - firstOf(b.groups))
    .map(component => component.groups)
}

function firstOf(groups: readonly MentionGroup[]): number {
  return Math.min(...groups.map(({ statedAt }) => statedAt.getTime()))
}

/**
 * After memories that named something in several ways went, what only they tied together falls apart again.
 * @returns the entities that came, and the relationships that have to be derived anew
 */
export async function splitEntities(
  tx: Tx,
  owner: Owner,
  ids: readonly string[],
): Promise<{ entityIds: string[]; triples: Triple[] }> {
  const made = { entityIds: [] as string[], triples: [] as Triple[] }
  for (const id of ids) {
    const { type, groups } = await mentionGroups(tx, owner, id)
    const [, ...others] = componentsOf(groups)
    for (const component of type ? others : []) {
      const newId = await moveMentions(tx, owner, { id, type: type ?? 'THING' }, component)
      made.entityIds.push(newId)
      made.triples.push(...(await moveEvidence(tx, owner.workspaceId, id, newId, memoriesOf(component))))
    }
  }
  return made
}

async function mentionGroups(tx: Tx, { workspaceId }: Owner, id: string) {
  const rows = await tx<
    { type: EntityType; is_user: boolean; normal_names: string; memory_ids: string; stated_at: Date }[]
  >`
    select
      entity.type, mention.is_user, to_json(mention.normal_names)::text as normal_names,
      json_agg(mention.memory_id)::text as memory_ids, min(mention.stated_at) as stated_at
    from graph.mention
    join graph.entity on entity.workspace_id = ${workspaceId} and entity.id = mention.entity_id
    where mention.workspace_id = ${workspaceId}
      and mention.entity_id = ${id}
    group by entity.type, mention.is_user, mention.normal_names
    order by min(mention.stated_at), mention.normal_names`
  const groups = rows.map(row => ({
    isUser: row.is_user,
    normalNames: texts(row.normal_names),
    memoryIds: texts(row.memory_ids),
    statedAt: row.stated_at,
  }))
  return { type: rows[0]?.type, groups }
}

function texts(json: string): string[] {
  const values: unknown = JSON.parse(json)
  return Array.isArray(values) ? values.map(String) : []
}

function memoriesOf(component: readonly MentionGroup[]): string {
  return plainArray(component.flatMap(({ memoryIds }) => memoryIds))
}

/** Makes an entity of mentions that were another's, with their names. */
async function moveMentions(
  tx: Tx,
  owner: Owner,
  { id, type }: { id: string; type: EntityType },
  component: readonly MentionGroup[],
): Promise<string> {
  const { workspaceId, userId } = owner
  const names = [...new Set(component.flatMap(({ normalNames }) => normalNames))]
  const [main = ''] = names
  const stable = entityId(owner, type, main)
  const newId = v7()
  const rows = names.map(name => ({ normal_name: name }))
  // Its name and the rest are what the refresh of entities makes of its mentions.
  const [made] = await tx<{ id: string }[]>`
    insert into graph.entity
      (workspace_id, id, user_id, type, name, normal_name, metadata, known_from, created_at, updated_at)
    select
      ${workspaceId},
      case
        when exists (select from graph.entity where entity.workspace_id = ${workspaceId} and entity.id = ${stable})
          then ${newId}::uuid
        else ${stable}::uuid
      end,
      ${userId}, ${type}, ${main}, ${main}, former.metadata, now(), now(), now()
    from graph.entity as former
    where former.workspace_id = ${workspaceId}
      and former.id = ${id}
    returning entity.id`
  const splitId = made?.id ?? newId
  await tx`
    update graph.mention
    set entity_id = ${splitId}
    where mention.workspace_id = ${workspaceId}
      and mention.entity_id = ${id}
      and mention.memory_id = any(${memoriesOf(component)}::uuid[])`
  await tx`
    insert into graph.name (workspace_id, user_id, normal_name, entity_id)
    select ${workspaceId}, ${userId}, new.normal_name, ${splitId}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (normal_name text)
    on conflict do nothing`
  await dropNames(
    tx,
    workspaceId,
    names.map(normalName => ({ entityId: id, normalName })),
  )
  return splitId
}
