import { plainArray, type Tx } from 'mneme/plugin'
import type { RelationType } from '../contract.ts'
import { describe, type Seen } from './phrases.ts'

/** Edges of an entity in each direction that its description is chosen from. */
const EDGES_MAX = 12
const NEIGHBOURS_MAX = 1_000

interface DescribedRow {
  readonly id: string
  readonly description: string | null
  readonly type: RelationType | null
  readonly outgoing: boolean
  readonly other: string
  readonly known_from: Date
}

/**
 * Says of entities what their edges say now. A description that changes takes the vector along, so that nothing is left of what
 * was withdrawn.
 */
export async function describeEntities(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx<DescribedRow[]>`
    select entity.id, entity.description, near.type, near.outgoing, near.other, near.known_from
    from graph.entity
    left join lateral (
      select
        edge.type, edge.outgoing, edge.known_from,
        case when beside.is_user then 'the user' else beside.name end as other
      from (
        (${strongest(tx, workspaceId, 'outgoing')})
        union all
        (${strongest(tx, workspaceId, 'incoming')})
      ) as edge
      -- One look-up each, even where nothing is known of the tables' sizes yet.
      cross join lateral (
        select entity.name, entity.is_user
        from graph.entity
        where entity.workspace_id = ${workspaceId}
          and entity.id = edge.beside_id
        limit 1
      ) as beside
    ) as near on true
    where entity.workspace_id = ${workspaceId}
      and entity.id = any(${plainArray(ids)}::uuid[])`
  const changed = [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, own]) => {
    const description = describe(own.flatMap(toSeen))
    return description === own[0]?.description ? [] : [{ id, description }]
  })
  if (changed.length === 0) return
  await tx`
    update graph.entity
    set description = new.description, embedding = null, embedding_model = null, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(changed)}::text::jsonb) as new (id uuid, description text)
    where entity.workspace_id = ${workspaceId}
      and entity.id = new.id`
}

/** The edges of `entity` that hold, of one direction. */
function strongest(tx: Tx, workspaceId: string, direction: 'outgoing' | 'incoming') {
  const isOutgoing = direction === 'outgoing'
  return tx`
    select
      edge.type, ${isOutgoing}::boolean as outgoing, edge.known_from,
      ${isOutgoing ? tx`edge.target_id` : tx`edge.source_id`} as beside_id
    from graph.edge
    where edge.workspace_id = ${workspaceId}
      and ${isOutgoing ? tx`edge.source_id` : tx`edge.target_id`} = entity.id
      and edge.known_to is null
      and (edge.valid_to is null or edge.valid_to > now())
    -- Many weigh the same: the plan has no say in which of them are told of.
    order by edge.weight desc, edge.known_from desc, edge.type, beside_id
    limit ${EDGES_MAX}`
}

function toSeen({ type, outgoing, other, known_from: knownFrom }: DescribedRow): Seen[] {
  return type === null ? [] : [{ type, outgoing, other, knownFrom }]
}

/** Entities whose descriptions may name one of these. */
export async function neighboursOf(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const list = plainArray(ids)
  const rows = await tx<{ id: string }[]>`
    select edge.target_id as id
    from graph.edge
    where edge.workspace_id = ${workspaceId}
      and edge.source_id = any(${list}::uuid[])
    union
    select edge.source_id
    from graph.edge
    where edge.workspace_id = ${workspaceId}
      and edge.target_id = any(${list}::uuid[])
    limit ${NEIGHBOURS_MAX}`
  return rows.map(row => row.id)
}
