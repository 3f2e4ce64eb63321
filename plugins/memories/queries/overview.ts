import type { Fragment, Subject, Tx } from 'mneme/plugin'
import type { CategoryCount } from '../contract/statistics.ts'

export interface EntityCount {
  readonly type: 'user' | 'agent'
  readonly id: string
  readonly count: number
}

/** So many users, agents and categories are listed. */
export const OVERVIEW_MAX = 10_000

/**
 * Counts visible memories per user and per agent; the largest counts come first, and only so many of each kind.
 * @param subject counts those of this user alone
 */
export async function countEntities(
  tx: Tx,
  workspaceId: string,
  max = OVERVIEW_MAX,
  subject?: Subject,
): Promise<EntityCount[]> {
  // One pass over an index counts each pair of user and agent, and the pairs are far fewer than the memories.
  return tx<EntityCount[]>`
    with pair as materialized (
      select memory.user_id, memory.agent_id, count(*) as count
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.live
        and (memory.expires_at is null or memory.expires_at > now())
        ${ofSubject(tx, subject)}
      group by memory.user_id, memory.agent_id
    ),
    users as (
      select 'user' as type, pair.user_id as id, sum(pair.count)::bigint as count
      from pair
      group by pair.user_id
      order by count desc, pair.user_id collate "C"
      limit ${max}
    ),
    agents as (
      select 'agent' as type, pair.agent_id as id, sum(pair.count)::bigint as count
      from pair
      where pair.agent_id is not null
      group by pair.agent_id
      order by count desc, pair.agent_id collate "C"
      limit ${max}
    )
    select entity.type, entity.id, entity.count
    from (select * from users union all select * from agents) as entity
    order by entity.type desc, entity.count desc, entity.id collate "C"`
}

/** Reads the distinct categories of visible memories, sorted by code point; the first ones of very many. */
export async function findCategories(
  tx: Tx,
  workspaceId: string,
  max = OVERVIEW_MAX,
  subject?: Subject,
): Promise<string[]> {
  const rows = await tx<{ category: string }[]>`
    select distinct category collate "C" as category
    from memories.memory
    cross join lateral unnest(memory.categories) as category
    where memory.workspace_id = ${workspaceId}
      and memory.live
      and (memory.expires_at is null or memory.expires_at > now())
      ${ofSubject(tx, subject)}
    order by category
    limit ${max}`
  return rows.map(row => row.category)
}

/** The condition on `memory` for memories of a user, and of an agent where one is given. */
function ofSubject(tx: Tx, subject: Subject | undefined): Fragment {
  if (!subject) return tx``
  const { userId, agentId } = subject
  return tx`and memory.user_id = ${userId} ${agentId === undefined ? tx`` : tx`and memory.agent_id = ${agentId}`}`
}

/**
 * Counts live memories created in `[from, to)` per category, the largest `most` by themselves and the others together; those without one are
 * always among the former.
 */
export async function countByCategory(
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
  most: number,
): Promise<CategoryCount[]> {
  return tx<CategoryCount[]>`
    select
      case when ranked.place <= ${most}::int then ranked.category end as category,
      ranked.place > ${most}::int as "isOthers", sum(ranked.count)::int as count
    from (
      select
        tag.category, count(*) as count,
        row_number() over (order by tag.category is not null, count(*) desc, tag.category collate "C") as place
      from memories.memory
      left join lateral unnest(memory.categories) as tag (category) on true
      where memory.workspace_id = ${workspaceId}
        and memory.live
        and memory.created_at >= ${from}
        and memory.created_at < ${to}
      group by tag.category
    ) as ranked
    group by 1, 2`
}

export async function findFirstCreation(tx: Tx, workspaceId: string): Promise<Date | undefined> {
  const [row] = await tx<{ created_at: Date }[]>`
    select memory.created_at
    from memories.memory
    where memory.workspace_id = ${workspaceId} and memory.live
    order by memory.created_at
    limit 1`
  return row?.created_at
}
