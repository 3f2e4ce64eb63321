import type { Tx } from 'mneme/plugin'
import type { EntityType, RelationType } from '../contract.ts'
import { type EdgeRow, type EntityReference, edgeColumns, edgeEvidence } from './edges.ts'
import { type At, shown } from './instants.ts'

export interface Walk {
  readonly from: string
  /** Steps at most. */
  readonly depth: number
  /** Edges at most. */
  readonly limit: number
  readonly relationType?: RelationType | undefined
  /** Entities that the walk may enter. */
  readonly entityType?: EntityType | undefined
  readonly at: At
  readonly history: boolean
}

export interface WalkedEdge extends EdgeRow {
  readonly source: EntityReference
  readonly target: EntityReference
}

interface Row extends EdgeRow {
  readonly source_name: string
  readonly source_type: EntityType
  readonly target_name: string
  readonly target_type: EntityType
}

/**
 * Edges around an entity, followed both ways: the nearest first, among equally near ones the strongest.
 *
 * One recursive statement with one row a level, which carries all that was reached so far; so a cycle ends by itself. Of each
 * entity no more edges are read in either direction than there is room for, from the strong end of an index: an entity with
 * 10,000 edges costs no more than one with a hundred.
 */
export async function traverse(tx: Tx, workspaceId: string, walk: Walk): Promise<WalkedEdge[]> {
  const { from, depth, limit, at } = walk
  const rows = await tx<Row[]>`
    with recursive walk (depth, frontier, seen, edges) as (
      select 0, array[${from}]::uuid[], array[${from}]::uuid[], array[]::uuid[]
      union all
      select walk.depth + 1, next.nodes, walk.seen || next.nodes, walk.edges || next.edges
      from walk
      cross join lateral (
        select
          coalesce(array_agg(taken.id order by taken.weight desc, taken.id), array[]::uuid[]) as edges,
          coalesce(
            array_agg(distinct taken.other) filter (where taken.other <> all(walk.seen)), array[]::uuid[]
          ) as nodes
        from (
          select found.id, found.other, found.weight
          from (
            select distinct on (step.id) step.id, step.other, step.weight
            from unnest(walk.frontier) as node (id)
            cross join lateral (
              (${stepsOf(tx, workspaceId, walk, 'out')})
              union all
              (${stepsOf(tx, workspaceId, walk, 'in')})
            ) as step
            order by step.id
          ) as found
          order by found.weight desc, found.id
          limit ${limit}::integer - cardinality(walk.edges)
        ) as taken
      ) as next
      where walk.depth < ${depth}::integer
        and cardinality(walk.frontier) > 0
        and cardinality(walk.edges) < ${limit}::integer
    )
    select
      ${edgeColumns(tx, at)},
      source.name as source_name, source.type as source_type, target.name as target_name, target.type as target_type
    from (select walk.edges from walk order by walk.depth desc limit 1) as whole
    cross join lateral unnest(whole.edges) with ordinality as reached (id, place)
    join graph.edge on edge.workspace_id = ${workspaceId} and edge.id = reached.id
    join graph.entity as source on source.workspace_id = ${workspaceId} and source.id = edge.source_id
    join graph.entity as target on target.workspace_id = ${workspaceId} and target.id = edge.target_id
    ${edgeEvidence(tx, workspaceId, at)}
    order by reached.place`
  return rows.map(row => ({
    ...row,
    source: { id: row.source_id, name: row.source_name, type: row.source_type },
    target: { id: row.target_id, name: row.target_name, type: row.target_type },
  }))
}

/** The strongest edges of `node` in one direction that the walk does not have yet. */
function stepsOf(tx: Tx, workspaceId: string, walk: Walk, side: 'out' | 'in') {
  const { limit, relationType, entityType, at, history } = walk
  const [own, other] = side === 'out' ? [tx`source_id`, tx`target_id`] : [tx`target_id`, tx`source_id`]
  const entered = tx`
    and exists (
      select from graph.entity
      where entity.workspace_id = ${workspaceId}
        and entity.id = edge.${other}
        and entity.type = ${entityType ?? ''}
    )`
  return tx`
    select edge.id, edge.${other} as other, edge.weight
    from graph.edge
    where edge.workspace_id = ${workspaceId}
      and edge.${own} = node.id
      and edge.id <> all(walk.edges)
      and ${shown(tx, at, history)}
      ${relationType === undefined ? tx`` : tx`and edge.type = ${relationType}`}
      ${entityType === undefined ? tx`` : entered}
    order by edge.weight desc
    limit ${limit}::integer - cardinality(walk.edges)`
}
