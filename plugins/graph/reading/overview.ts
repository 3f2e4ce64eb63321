import { plainArray, type Tx } from 'mneme/plugin'
import type { EntityType, RelationType } from '../contract.ts'
import type { EdgeRow } from './edges.ts'
import { conditions, type EntityFilter } from './entities.ts'
import { type At, endOf, holds, shown } from './instants.ts'

export interface OverviewFilter extends EntityFilter {
  readonly relationType?: RelationType | undefined
  readonly weightMin?: number | undefined
  readonly at: At
  readonly history: boolean
}

export interface OverviewNode {
  readonly id: string
  readonly name: string
  readonly type: EntityType
  readonly description: string | null
  readonly user_id: string
  readonly is_user: boolean
  readonly relationships: number
  readonly known_from: Date
}

export type OverviewEdge = Omit<EdgeRow, 'memory_ids'>

export interface Overview {
  readonly nodes: readonly OverviewNode[]
  readonly edges: readonly OverviewEdge[]
  readonly nodesTotal: number
  readonly edgesTotal: number
}

/**
 * The part of a workspace's graph that matters most: the entities with the most relationships, and the strongest relationships between
 * these. Weights are the stored ones, as computing thousands of them from their evidence would take longer than everything else.
 */
export async function readOverview(
  tx: Tx,
  workspaceId: string,
  filter: OverviewFilter,
  limits: { readonly nodes: number; readonly edges: number },
): Promise<Overview> {
  const { at } = filter
  const [nodes, [counted]] = await Promise.all([
    tx<(OverviewNode & { total: number })[]>`
      with degree as (
        select ends.id, count(*)::integer as relationships
        from (${passingEdges(tx, workspaceId, filter)}) as edge
        cross join lateral (values (edge.source_id), (edge.target_id)) as ends (id)
        group by ends.id
      )
      select
        entity.id, entity.name, entity.type, entity.description, entity.user_id, entity.is_user, entity.known_from,
        coalesce(degree.relationships, 0) as relationships,
        count(*) over () as total
      from graph.entity
      left join degree on degree.id = entity.id
      where entity.workspace_id = ${workspaceId}
        ${conditions(tx, filter)}
      order by relationships desc, entity.known_from, entity.id
      limit ${limits.nodes}`,
    tx<{ total: number }[]>`
      select count(*) as total
      from (${passingEdges(tx, workspaceId, filter)}) as edge`,
  ])
  const ids = plainArray(nodes.map(({ id }) => id))
  const edges = await tx<OverviewEdge[]>`
    select
      edge.id, edge.source_id, edge.target_id, edge.type, edge.weight, ${holds(tx, at)} as current,
      edge.valid_from, ${endOf(tx, at)} as valid_to, edge.known_from,
      ${at === undefined ? tx`edge.known_to` : tx`case when edge.known_to <= ${at} then edge.known_to end`} as known_to
    from (${passingEdges(tx, workspaceId, filter)}) as edge
    where edge.source_id = any(${ids}::uuid[])
      and edge.target_id = any(${ids}::uuid[])
    order by edge.weight desc, edge.id
    limit ${limits.edges}`
  return { nodes, edges, nodesTotal: nodes[0]?.total ?? 0, edgesTotal: counted?.total ?? 0 }
}

/** Selects the relationships that pass the filter, as `edge`; with a type of entities both ends are of it. */
function passingEdges(tx: Tx, workspaceId: string, filter: OverviewFilter) {
  const { userId, type, relationType, weightMin, at, history } = filter
  const endsOfType =
    type === undefined
      ? tx``
      : tx`
        and exists (
          select
          from graph.entity
          where entity.workspace_id = ${workspaceId} and entity.id = edge.source_id and entity.type = ${type}
        )
        and exists (
          select
          from graph.entity
          where entity.workspace_id = ${workspaceId} and entity.id = edge.target_id and entity.type = ${type}
        )`
  return tx`
    select edge.*
    from graph.edge
    where edge.workspace_id = ${workspaceId}
      and ${shown(tx, at, history)}
      ${userId === undefined ? tx`` : tx`and edge.user_id = ${userId}`}
      ${relationType === undefined ? tx`` : tx`and edge.type = ${relationType}`}
      ${weightMin === undefined ? tx`` : tx`and edge.weight >= ${weightMin}`}
      ${endsOfType}`
}
