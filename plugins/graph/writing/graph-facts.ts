import type { Tx } from 'mneme/plugin'
import { textArray, workspaceOf } from 'mneme/plugin'
import type { EntityType, GraphFacts, KnownRelation, RelationType } from '../contract.ts'
import { SYMMETRIC_TYPES } from '../contract.ts'
import { hasEnded, isStated } from '../reading/ended.ts'
import { holds } from '../reading/instants.ts'
import { changedUsers } from './changed-users.ts'

/** Memories that are named for one relationship. */
const MEMORIES_MAX = 10

/** So many memories are named that state the user's name. */
const NAMING_MAX = 10

/** Reads a user's facts for other plugins. Row-level security and the statements both bind it to the transaction's workspace. */
export const storedFacts: GraphFacts = {
  async statements(tx, { userId, category, limit }) {
    const workspaceId = workspaceOf(tx)
    const rows = await tx<
      {
        memory_id: string
        ordinal: number
        text: string
        categories: string
        confidence: number
        stated_at: Date
        ended: boolean
      }[]
    >`
      with newest as (
        select statement.*
        from graph.statement
        where statement.workspace_id = ${workspaceId}
          and statement.user_id = ${userId}
          ${category === undefined ? tx`` : tx`and ${category} = any(statement.categories)`}
        order by statement.stated_at desc, statement.memory_id desc, statement.ordinal desc
        limit ${limit}
      )
      select
        newest.memory_id, newest.ordinal, newest.text, to_json(newest.categories)::text as categories, newest.confidence,
        greatest(newest.stated_at, restated.stated_at) as stated_at, coalesce(supported.ended, false) as ended
      from newest
      left join lateral (
        select max(restatement.stated_at) as stated_at
        from graph.restatement
        where restatement.workspace_id = ${workspaceId}
          and restatement.memory_id = newest.memory_id
      ) as restated on true
      left join lateral (
        select bool_and(${hasEnded(tx)}) as ended
        from graph.evidence
        join graph.edge on edge.workspace_id = ${workspaceId} and edge.id = evidence.edge_id
        where evidence.workspace_id = ${workspaceId}
          and evidence.memory_id = newest.memory_id
          and evidence.span_start < newest.span_end
          and evidence.span_end > newest.span_start
          and ${isStated(tx)}
      ) as supported on true
      order by greatest(newest.stated_at, restated.stated_at), newest.memory_id, newest.ordinal`
    return rows.map(row => ({
      memoryId: row.memory_id,
      ordinal: row.ordinal,
      text: row.text,
      categories: textsOf(row.categories),
      confidence: row.confidence,
      statedAt: row.stated_at,
      ended: row.ended,
    }))
  },

  async entities(tx, { userId, limit }) {
    const workspaceId = workspaceOf(tx)
    const rows = await tx<
      { id: string; name: string; type: EntityType; is_user: boolean; memories: number; named_by: string | null }[]
    >`
      select entity.id, entity.name, entity.type, entity.is_user, counted.memories, naming.named_by
      from (
        select mention.entity_id, count(*)::integer as memories
        from graph.mention
        where mention.workspace_id = ${workspaceId}
          and mention.user_id = ${userId}
        group by mention.entity_id
        order by count(*) desc, mention.entity_id
        limit ${limit}
      ) as counted
      join graph.entity on entity.workspace_id = ${workspaceId} and entity.id = counted.entity_id
      left join lateral (
        select json_agg(mention.memory_id order by mention.stated_at desc, mention.memory_id desc)::text as named_by
        from (
          select mention.memory_id, mention.stated_at
          from graph.mention
          where mention.workspace_id = ${workspaceId}
            and mention.entity_id = entity.id
            and mention.is_user
            and cardinality(mention.names) > 1
            and entity.name = any(mention.names)
          order by mention.stated_at desc, mention.memory_id desc
          limit ${NAMING_MAX}
        ) as mention
      ) as naming on entity.is_user
      order by counted.memories desc, entity.id`
    return rows.map(row => ({
      id: row.id,
      name: row.name,
      type: row.type,
      isUser: row.is_user,
      memories: row.memories,
      namedBy: textsOf(row.named_by ?? '[]'),
    }))
  },

  async countEntities(tx, userId) {
    const workspaceId = workspaceOf(tx)
    const [row] = await tx<{ count: number }[]>`
      select count(*)::integer as count
      from graph.entity
      where entity.workspace_id = ${workspaceId}
        and entity.user_id = ${userId}`
    return row?.count ?? 0
  },

  relations: relationsOfUser,

  async categories(tx, userId) {
    const workspaceId = workspaceOf(tx)
    const rows = await tx<{ category: string }[]>`
      select distinct category
      from graph.statement, unnest(statement.categories) as category
      where statement.workspace_id = ${workspaceId}
        and statement.user_id = ${userId}
      order by category`
    return rows.map(({ category }) => category)
  },

  ...changedUsers,
}

function textsOf(json: string): string[] {
  const texts: unknown = JSON.parse(json)
  return Array.isArray(texts) ? texts.map(String) : []
}

/** Reads the user's own current relationships, strongest first. */
async function relationsOfUser(
  tx: Tx,
  { userId, limit }: { readonly userId: string; readonly limit: number },
): Promise<KnownRelation[]> {
  const workspaceId = workspaceOf(tx)
  const rows = await tx<{ type: RelationType; name: string; memory_ids: readonly string[] }[]>`
    with own as (
      select entity.id
      from graph.entity
      where entity.workspace_id = ${workspaceId}
        and entity.user_id = ${userId}
        and entity.is_user
    ),
    seen as (
      select edge.id, edge.type, edge.weight, edge.target_id as other_id
      from graph.edge
      join own on own.id = edge.source_id
      where edge.workspace_id = ${workspaceId} and ${holds(tx, undefined)}
      union all
      select edge.id, edge.type, edge.weight, edge.source_id
      from graph.edge
      join own on own.id = edge.target_id
      where edge.workspace_id = ${workspaceId}
        and edge.type = any(${textArray([...SYMMETRIC_TYPES])}::text[])
        and ${holds(tx, undefined)}
      order by weight desc, id
      limit ${limit}
    )
    select seen.type, other.name, said.memory_ids
    from seen
    join graph.entity as other
      on other.workspace_id = ${workspaceId} and other.id = seen.other_id
    cross join lateral (
      select coalesce(json_agg(newest.memory_id order by newest.stated_at desc, newest.memory_id), '[]'::json) as memory_ids
      from (
        select evidence.memory_id, max(evidence.stated_at) as stated_at
        from graph.evidence
        where evidence.workspace_id = ${workspaceId}
          and evidence.edge_id = seen.id
          and not evidence.closes
        group by evidence.memory_id
        order by max(evidence.stated_at) desc, evidence.memory_id
        limit ${MEMORIES_MAX}
      ) as newest
    ) as said
    order by seen.weight desc, seen.id`
  return rows
    .map(({ type, name, memory_ids }) => ({ type, name, memoryIds: memory_ids }))
    .filter(({ memoryIds }) => memoryIds.length > 0)
}
