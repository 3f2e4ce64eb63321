import type { Tx } from 'mneme/plugin'

export interface EntityCount {
  readonly type: 'user' | 'agent'
  readonly id: string
  readonly count: number
}

/** Counts visible memories per user and per agent; the largest counts come first. */
export async function countEntities(tx: Tx, workspaceId: string): Promise<EntityCount[]> {
  // One pass over an index counts each pair of user and agent, and the pairs are far fewer than the memories.
  return tx<EntityCount[]>`
    with pair as materialized (
      select memory.user_id, memory.agent_id, count(*) as count
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.live
        and (memory.expires_at is null or memory.expires_at > now())
      group by memory.user_id, memory.agent_id
    ),
    entity as (
      select 'user' as type, pair.user_id as id, sum(pair.count)::bigint as count
      from pair
      group by pair.user_id
      union all
      select 'agent', pair.agent_id, sum(pair.count)::bigint
      from pair
      where pair.agent_id is not null
      group by pair.agent_id
    )
    select entity.type, entity.id, entity.count
    from entity
    order by entity.type desc, entity.count desc, entity.id collate "C"`
}

/** Reads the distinct categories of visible memories, sorted by code point. */
export async function findCategories(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx<{ category: string }[]>`
    select distinct category collate "C" as category
    from memories.memory
    cross join lateral unnest(memory.categories) as category
    where memory.workspace_id = ${workspaceId}
      and memory.live
      and (memory.expires_at is null or memory.expires_at > now())
    order by category`
  return rows.map(row => row.category)
}

/** Counts live memories created in `[from, to)` per category; null counts those without one. */
export async function countByCategory(
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<{ category: string | null; count: number }[]> {
  return tx<{ category: string | null; count: number }[]>`
    select tag.category, count(*)::int as count
    from memories.memory
    left join lateral unnest(memory.categories) as tag (category) on true
    where memory.workspace_id = ${workspaceId}
      and memory.live
      and memory.created_at >= ${from}
      and memory.created_at < ${to}
    group by tag.category`
}
