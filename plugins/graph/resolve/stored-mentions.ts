import { type Fragment, plainArray, type Tx, textArray } from 'mneme/plugin'
import type { EntityType } from '../contract.ts'
import { namingMentions } from '../reading/naming-mentions.ts'
import type { MentionGroup } from './fold-entities.ts'
import { normalName } from './normal-name.ts'
import type { Owner } from './owner.ts'

/** Stored mentions of one entity that say the same. */
export interface StoredGroup extends MentionGroup {
  readonly entityId: string
}

export interface StoredMentions {
  /** Every mention that a name, over any number of steps, can tie to the names asked for. */
  readonly groups: readonly StoredGroup[]
  /** Pairs of groups that one memory holds. */
  readonly apart: readonly (readonly [StoredGroup, StoredGroup])[]
  /** The user's own entity. */
  readonly userEntityId: string | undefined
}

/** Bearers of a short name that are looked at: several are enough to tell that it is nobody's alone. */
const BEARERS_MAX = 4

/** Loads what may be folded together with some names, and with the mentions of some entities. */
export async function storedMentions(
  tx: Tx,
  owner: Owner,
  names: readonly string[],
  entityIds: readonly string[],
): Promise<StoredMentions> {
  const { workspaceId, userId } = owner
  const found = await tx<{ id: string; is_user: boolean }[]>`
    with recursive tied (normal_name) as (
      select unnest(${textArray(names)}::text[])
      union
      select name.normal_name
      from graph.name
      where name.workspace_id = ${workspaceId}
        and name.entity_id = any(${plainArray(entityIds)}::uuid[])
      union
      select other.normal_name
      from tied
      cross join lateral (${namesTiedTo(tx, owner, tx`tied.normal_name`)}) as other
    )
    select entity.id, entity.is_user
    from graph.entity
    where entity.workspace_id = ${workspaceId}
      and entity.user_id = ${userId}
      and (
        entity.is_user
        or entity.id = any(${plainArray(entityIds)}::uuid[])
        or entity.id = any(array(
          select name.entity_id
          from tied
          cross join lateral (
            select known.entity_id
            from graph.name as known
            where known.workspace_id = ${workspaceId}
              and known.user_id = ${userId}
              and known.normal_name = tied.normal_name
            offset 0
          ) as name
        ))
      )`
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return { groups: [], apart: [], userEntityId: undefined }
  const userEntityId = found.find(({ is_user }) => is_user)?.id
  const groups = [...(await groupsOf(tx, workspaceId, ids)), ...(userEntityId ? [ownGroup(userId, userEntityId)] : [])]
  const apart = ids.length > 1 ? await pairsOf(tx, workspaceId, ids, groups) : []
  return { groups, apart, userEntityId }
}

/** Other names of what goes by a name, and those of people of which one is short for the other. */
function namesTiedTo(tx: Tx, { workspaceId, userId }: Owner, name: Fragment): Fragment {
  return tx`
    select other.normal_name
    from graph.name as own
    join graph.name as other on other.workspace_id = ${workspaceId} and other.entity_id = own.entity_id
    where own.workspace_id = ${workspaceId}
      and own.user_id = ${userId}
      and own.normal_name = ${name}
    union all
    select short.normal_name
    from (select string_to_array(${name}, ' ') as words) as whole
    cross join lateral generate_series(1, cardinality(whole.words) - 1) as place
    cross join lateral unnest(array[
      array_to_string(whole.words[:place], ' '), array_to_string(whole.words[place + 1:], ' ')
    ]) as part
    cross join lateral (
      select name.normal_name, name.entity_id
      from graph.name
      where name.workspace_id = ${workspaceId}
        and name.user_id = ${userId}
        and name.normal_name = part
      offset 0
    ) as short
    where ${isPerson(tx, workspaceId, tx`short.entity_id`)}
    union all
    (
      select whole.normal_name
      from (
        select begun.entity_id, begun.normal_name
        from graph.name as begun
        where begun.workspace_id = ${workspaceId}
          and begun.user_id = ${userId}
          and begun.first_word = split_part(${name}, ' ', 1)
          and starts_with(begun.normal_name, ${name} || ' ')
        union all
        select ended.entity_id, ended.normal_name
        from graph.name as ended
        where ended.workspace_id = ${workspaceId}
          and ended.user_id = ${userId}
          and ended.last_word = split_part(${name}, ' ', -1)
          and right(ended.normal_name, length(${name}) + 1) = ' ' || ${name}
        offset 0
      ) as whole
      where ${isPerson(tx, workspaceId, tx`whole.entity_id`)}
      order by whole.entity_id
      limit ${BEARERS_MAX}
    )`
}

/** Looks an entity up by its key, even where nothing is known of the table's size yet. */
function isPerson(tx: Tx, workspaceId: string, id: Fragment): Fragment {
  return tx`(
    select entity.type
    from graph.entity
    where entity.workspace_id = ${workspaceId}
      and entity.id = ${id}
  ) = 'PERSON'`
}

/** Stands for all mentions of the user without a name, most of a user's memories, which are never anybody else's. */
function ownGroup(userId: string, entityId: string): StoredGroup {
  const normalNames = [normalName(userId)]
  return { entityId, isUser: true, normalNames, type: 'PERSON', isFirm: false, weight: 1, statedAt: new Date(0) }
}

interface GroupRow {
  readonly entity_id: string
  readonly is_user: boolean
  readonly normal_names: string
  readonly type: EntityType
  readonly is_firm: boolean
  readonly weight: number
  readonly stated_at: Date
}

async function groupsOf(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<StoredGroup[]> {
  const rows = await tx<GroupRow[]>`
    select
      mention.entity_id, mention.is_user, to_json(mention.normal_names)::text as normal_names, mention.type, mention.is_firm,
      sum(mention.confidence::numeric)::float8 as weight, min(mention.stated_at) as stated_at
    from (${namingMentions(tx, workspaceId, tx`mention.entity_id = any(${plainArray(ids)}::uuid[])`)}) as mention
    group by mention.entity_id, mention.is_user, mention.normal_names, mention.type, mention.is_firm`
  return rows.map(row => ({
    entityId: row.entity_id,
    isUser: row.is_user,
    normalNames: textsOf(row.normal_names),
    type: row.type,
    isFirm: row.is_firm,
    weight: row.weight,
    statedAt: row.stated_at,
  }))
}

async function pairsOf(tx: Tx, workspaceId: string, ids: readonly string[], groups: readonly StoredGroup[]) {
  const rows = await tx<{ one: string; other: string }[]>`
    select distinct
      json_build_array(mention.entity_id, mention.normal_names, mention.type, mention.is_firm, mention.is_user)::text as one,
      json_build_array(beside.entity_id, beside.normal_names, beside.type, beside.is_firm, beside.is_user)::text as other
    from graph.mention
    join graph.mention as beside
      on beside.workspace_id = ${workspaceId}
      and beside.memory_id = mention.memory_id
      and beside.entity_id > mention.entity_id
    where mention.workspace_id = ${workspaceId}
      and mention.entity_id = any(${plainArray(ids)}::uuid[])
      and not (mention.is_user or beside.is_user)
      and beside.entity_id = any(${plainArray(ids)}::uuid[])`
  const byKey = new Map(groups.map(group => [signatureOf(group), group]))
  return rows.flatMap(({ one, other }) => {
    const pair = [byKey.get(normalized(one)), byKey.get(normalized(other))] as const
    return pair[0] && pair[1] ? [[pair[0], pair[1]] as const] : []
  })
}

function signatureOf({ entityId, normalNames, type, isFirm, isUser }: StoredGroup): string {
  return JSON.stringify([entityId, normalNames, type, isFirm, isUser])
}

/** The database writes JSON with spaces. */
function normalized(json: string): string {
  return JSON.stringify(JSON.parse(json))
}

function textsOf(json: string): string[] {
  const values: unknown = JSON.parse(json)
  return Array.isArray(values) ? values.map(String) : []
}
