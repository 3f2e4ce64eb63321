import { type Tx, textArray } from 'mneme/plugin'
import { SYMMETRIC_TYPES } from '../contract.ts'
import { type EdgeRow, type EntityReference, edgeColumns, edgeEvidence } from './edges.ts'
import { type At, shown } from './instants.ts'

/** Relationships shown in each direction. */
export const RELATIONSHIPS_SHOWN = 1_000

/** A relationship seen from one of its ends. */
export interface SeenEdge extends EdgeRow {
  readonly other: EntityReference
}

export interface Relationships {
  readonly outgoing: readonly SeenEdge[]
  readonly incoming: readonly SeenEdge[]
  readonly outgoingTotal: number
  readonly incomingTotal: number
}

interface Row extends EdgeRow {
  readonly other_name: string
  readonly other_type: EntityReference['type']
}

/** All relationships of an entity, the strongest first. One that is the same from either end counts as outgoing. */
export async function relationshipsOf(
  tx: Tx,
  workspaceId: string,
  entityId: string,
  { at, history }: { readonly at: At; readonly history: boolean },
): Promise<Relationships> {
  const [outgoing, incoming, [counted]] = await Promise.all([
    readSide(tx, workspaceId, entityId, 'out', at, history),
    readSide(tx, workspaceId, entityId, 'in', at, history),
    tx<{ outgoing: number; incoming: number }[]>`
      select count(*) filter (where seen.leaves) as outgoing, count(*) filter (where not seen.leaves) as incoming
      from (
        select true as leaves
        from graph.edge
        where edge.workspace_id = ${workspaceId} and edge.source_id = ${entityId} and ${shown(tx, at, history)}
        union all
        select edge.type = any(${textArray([...SYMMETRIC_TYPES])}::text[])
        from graph.edge
        where edge.workspace_id = ${workspaceId} and edge.target_id = ${entityId} and ${shown(tx, at, history)}
      ) as seen`,
  ])
  const all = [...outgoing.map(row => seenFrom(entityId, row)), ...incoming.map(row => seenFrom(entityId, row))]
  const leaves = (row: SeenEdge) => row.source_id === entityId || SYMMETRIC_TYPES.has(row.type)
  return {
    outgoing: strongest(all.filter(leaves)),
    incoming: strongest(all.filter(row => !leaves(row))),
    outgoingTotal: counted?.outgoing ?? 0,
    incomingTotal: counted?.incoming ?? 0,
  }
}

function readSide(
  tx: Tx,
  workspaceId: string,
  entityId: string,
  side: 'out' | 'in',
  at: At,
  history: boolean,
): Promise<Row[]> {
  const [own, other] = side === 'out' ? [tx`source_id`, tx`target_id`] : [tx`target_id`, tx`source_id`]
  return tx<Row[]>`
    select ${edgeColumns(tx, at)}, other.name as other_name, other.type as other_type
    from graph.edge
    join graph.entity as other on other.workspace_id = ${workspaceId} and other.id = edge.${other}
    ${edgeEvidence(tx, workspaceId, at)}
    where edge.workspace_id = ${workspaceId}
      and edge.${own} = ${entityId}
      and ${shown(tx, at, history)}
    order by edge.weight desc, edge.id
    limit ${RELATIONSHIPS_SHOWN}`
}

function seenFrom(entityId: string, row: Row): SeenEdge {
  const id = row.source_id === entityId ? row.target_id : row.source_id
  return { ...row, other: { id, name: row.other_name, type: row.other_type } }
}

/** Current relationships come before ended ones. */
function strongest(edges: readonly SeenEdge[]): SeenEdge[] {
  return edges
    .toSorted((a, b) => Number(b.current) - Number(a.current) || b.weight - a.weight || (a.id < b.id ? -1 : 1))
    .slice(0, RELATIONSHIPS_SHOWN)
}
