import { plainArray, type Tx, textArray } from 'mneme/plugin'
import type { EntityType, RelationType } from '../contract.ts'
import { type EdgeRow, type EntityReference, edgeColumns, edgeEvidence } from '../reading/edges.ts'
import { conditions } from '../reading/entities.ts'
import { type At, shown } from '../reading/instants.ts'

/** A relationship as an answer uses it. */
export interface Fact {
  readonly id: string
  readonly type: RelationType
  readonly source: EntityReference
  readonly target: EntityReference
  readonly weight: number
  readonly current: boolean
  /** The period that memories state. */
  readonly from: Date | null
  readonly to: Date | null
  /** The known period: as memories state it, else when they were stored. */
  readonly start: Date
  readonly end: Date | null
  readonly memoryIds: readonly string[]
}

/** An entity that a question names. */
export interface Anchor extends EntityReference {
  readonly isUser: boolean
  readonly normalName: string
}

/** The scope of a question: a workspace, perhaps one user's part of it, and an instant. */
export interface Place {
  readonly workspaceId: string
  readonly userId: string | undefined
  readonly at: At
}

/** Edges read of one entity in each direction. */
const EDGES_MAX = 100
const ANCHORS_MAX = 60
/** Neighbours of each end that are compared to find what lies between two entities. */
const NEIGHBOURS_MAX = 400
const PATHS_MAX = 5

/** The entities that go by one of the names. */
export async function entitiesNamed(tx: Tx, place: Place, names: readonly string[]): Promise<Anchor[]> {
  if (names.length === 0) return []
  return tx<Anchor[]>`
    select entity.id, entity.name, entity.type, entity.is_user as "isUser", name.normal_name as "normalName"
    from graph.name
    join graph.entity on entity.id = name.entity_id
    where entity.workspace_id = ${place.workspaceId}
      ${conditions(tx, place)}
      and name.workspace_id = ${place.workspaceId}
      ${place.userId === undefined ? tx`` : tx`and name.user_id = ${place.userId}`}
      and name.normal_name = any(${textArray(names)}::text[])
    order by length(name.normal_name) desc, entity.id
    limit ${ANCHORS_MAX}`
}

/** The one whose memories these are. */
export async function userEntity(tx: Tx, { workspaceId, at }: Place, userId: string): Promise<Anchor | undefined> {
  const [user] = await tx<Anchor[]>`
    select entity.id, entity.name, entity.type, entity.is_user as "isUser", entity.normal_name as "normalName"
    from graph.entity
    where entity.workspace_id = ${workspaceId}
      ${conditions(tx, { userId, at })}
      and entity.is_user`
  return user
}

interface FactRow extends EdgeRow {
  readonly source_name: string
  readonly source_type: EntityType
  readonly target_name: string
  readonly target_type: EntityType
  readonly is_end_told: boolean
}

/** Reads all facts of some entities, of some types or of all, strongest first. */
export async function factsOf(
  tx: Tx,
  { workspaceId, at }: Place,
  ids: readonly string[],
  types?: readonly RelationType[],
): Promise<Fact[]> {
  if (ids.length === 0) return []
  const ofTypes = types === undefined ? tx`` : tx`and edge.type = any(${textArray(types)}::text[])`
  const side = (own: ReturnType<Tx>) => tx`
    select edge.id
    from graph.edge
    where edge.workspace_id = ${workspaceId} and ${own} = node.id and ${shown(tx, at, true)} ${ofTypes}
    order by edge.weight desc
    limit ${EDGES_MAX}`
  const rows = await tx<FactRow[]>`
    select ${factColumns(tx, at)}
    from (
      select distinct step.id
      from unnest(${plainArray(ids)}::uuid[]) as node (id)
      cross join lateral ((${side(tx`edge.source_id`)}) union all (${side(tx`edge.target_id`)})) as step
    ) as found
    join graph.edge on edge.workspace_id = ${workspaceId} and edge.id = found.id
    ${factJoins(tx, workspaceId, at)}`
  return rows.map(toFact).toSorted(byWeight)
}

/** The strongest facts of some types, whoever they are about. */
export async function factsOfTypes(
  tx: Tx,
  place: Place,
  types: readonly RelationType[],
  limit: number,
): Promise<Fact[]> {
  const { workspaceId, userId, at } = place
  const rows = await tx<FactRow[]>`
    select ${factColumns(tx, at)}
    from (
      select edge.id
      from graph.edge
      where edge.workspace_id = ${workspaceId}
        ${userId === undefined ? tx`` : tx`and edge.user_id = ${userId}`}
        and edge.type = any(${textArray(types)}::text[])
        and ${shown(tx, at, true)}
      order by edge.weight desc, edge.id
      limit ${limit}
    ) as found
    join graph.edge on edge.workspace_id = ${workspaceId} and edge.id = found.id
    ${factJoins(tx, workspaceId, at)}`
  return rows.map(toFact).toSorted(byWeight)
}

/** Ways from one set of entities to another that hold, of one or two steps, the shortest and strongest first. */
export async function pathsBetween(
  tx: Tx,
  place: Place,
  from: readonly string[],
  to: readonly string[],
): Promise<Fact[][]> {
  const { workspaceId, at } = place
  const [left, right] = [neighbours(tx, place, from), neighbours(tx, place, to)]
  const ways = await tx<{ first: string; second: string | null }[]>`
    with near as (${left}), far as (${right})
    select way.first, way.second
    from (
      select near.edge_id as first, null::uuid as second, 1 as steps, near.weight as strength
      from near
      where near.other = any(${plainArray(to)}::uuid[])
      union all
      select near.edge_id, far.edge_id, 2, near.weight * far.weight
      from near
      join far on far.other = near.other and far.edge_id <> near.edge_id
      where near.other <> all(${plainArray([...from, ...to])}::uuid[])
    ) as way
    order by way.steps, way.strength desc, way.first, way.second
    limit ${PATHS_MAX}`
  const ids = [...new Set(ways.flatMap(({ first, second }) => (second === null ? [first] : [first, second])))]
  if (ids.length === 0) return []
  const rows = await tx<FactRow[]>`
    select ${factColumns(tx, at)}
    from graph.edge
    ${factJoins(tx, workspaceId, at)}
    where edge.workspace_id = ${workspaceId}
      and edge.id = any(${plainArray(ids)}::uuid[])`
  const facts = new Map(rows.map(row => [row.id, toFact(row)]))
  return ways.map(({ first, second }) =>
    [first, second].flatMap(id => {
      const fact = id === null ? undefined : facts.get(id)
      return fact ? [fact] : []
    }),
  )
}

function neighbours(tx: Tx, { workspaceId, at }: Place, ids: readonly string[]) {
  const side = (own: ReturnType<Tx>, other: ReturnType<Tx>) => tx`
    select edge.id as edge_id, ${other} as other, edge.weight
    from graph.edge
    where edge.workspace_id = ${workspaceId} and ${own} = node.id and ${shown(tx, at, false)}
    order by edge.weight desc
    limit ${NEIGHBOURS_MAX}`
  return tx`
    select step.edge_id, step.other, step.weight
    from unnest(${plainArray(ids)}::uuid[]) as node (id)
    cross join lateral (
      (${side(tx`edge.source_id`, tx`edge.target_id`)}) union all (${side(tx`edge.target_id`, tx`edge.source_id`)})
    ) as step`
}

function factColumns(tx: Tx, at: At) {
  return tx`
    ${edgeColumns(tx, at)},
    source.name as source_name, source.type as source_type, target.name as target_name, target.type as target_type,
    edge.valid_to is not null as is_end_told`
}

function factJoins(tx: Tx, workspaceId: string, at: At) {
  return tx`
    join graph.entity as source on source.workspace_id = ${workspaceId} and source.id = edge.source_id
    join graph.entity as target on target.workspace_id = ${workspaceId} and target.id = edge.target_id
    ${edgeEvidence(tx, workspaceId, at)}`
}

function toFact(row: FactRow): Fact {
  return {
    id: row.id,
    type: row.type,
    source: { id: row.source_id, name: row.source_name, type: row.source_type },
    target: { id: row.target_id, name: row.target_name, type: row.target_type },
    weight: row.weight,
    current: row.current,
    from: row.valid_from,
    // An end that no memory names is the instant at which it was known to be over.
    to: row.is_end_told ? row.valid_to : null,
    start: row.valid_from ?? row.known_from,
    end: row.valid_to,
    memoryIds: row.memory_ids,
  }
}

function byWeight(a: Fact, b: Fact): number {
  return Number(b.current) - Number(a.current) || b.weight - a.weight || (a.id < b.id ? -1 : 1)
}

/** The end of a fact that is not the given one. */
export function otherEnd(fact: Fact, ids: ReadonlySet<string>): EntityReference {
  return ids.has(fact.source.id) ? fact.target : fact.source
}
