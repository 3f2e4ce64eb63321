import { type Tx, textArray, workspaceOf } from 'mneme/plugin'
import { type KnownRelation, type RelationType, SYMMETRIC_TYPES } from '../contract.ts'
import { holds } from './instants.ts'

/** Memories that are named for one relationship. */
const MEMORIES_MAX = 10

/** Reads the user's own current relationships, strongest first. */
export async function relationsOfUser(
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
