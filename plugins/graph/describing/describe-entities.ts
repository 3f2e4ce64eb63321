import { plainArray, type Tx } from 'mneme/plugin'
import type { RelationType } from '../contract.ts'

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

/** Phrases for a relationship's source and its target; `*` is the name of the other end. Symmetric types have one phrase. */
const PHRASES: Readonly<Record<RelationType, readonly [string, string]>> = {
  WORKS_AT: ['works at *', 'where * works'],
  LIVES_IN: ['lives in *', 'where * lives'],
  MARRIED_TO: ['married to *', 'married to *'],
  PARENT_OF: ['parent of *', 'child of *'],
  REPORTS_TO: ['reports to *', 'boss of *'],
  MANAGES: ['manages *', 'managed by *'],
  LOCATED_IN: ['in *', 'where * is'],
  PART_OF: ['part of *', 'includes *'],
  MEMBER_OF: ['member of *', 'with * as a member'],
  CREATED: ['created *', 'created by *'],
  OWNS: ['owns *', 'owned by *'],
  STUDIED_AT: ['has studied at *', 'where * has studied'],
  BORN_IN: ['born in *', 'where * was born'],
  RELATED_TO: ['related to *', 'related to *'],
  COLLABORATES_WITH: ['works with *', 'works with *'],
  USES_TECHNOLOGY: ['uses *', 'used by *'],
  LIKES: ['likes *', 'liked by *'],
  INTERESTED_IN: ['interested in *', 'of interest to *'],
  DISLIKES: ['dislikes *', 'disliked by *'],
  VISITED: ['visited *', 'visited by *'],
  KNOWS: ['knows *', 'known to *'],
}

/** Types that tell most about an entity come first; within a type the most recent does. */
const ORDER = new Map(Object.keys(PHRASES).map((type, place) => [type, place]))

const PHRASES_MAX = 3

const LENGTH_MAX = 300

/** A relationship as one of its ends sees it. */
interface Seen {
  readonly type: RelationType
  readonly outgoing: boolean
  /** The name of the other end; of the user's own entity no name, for it may change. */
  readonly other: string
  readonly knownFrom: Date
}

/** As "works at Northwind Labs, lives in Lisbon"; null where nothing is known. */
export function describe(seen: readonly Seen[]): string | null {
  const chosen = seen.toSorted(
    (a, b) =>
      (ORDER.get(a.type) ?? 0) - (ORDER.get(b.type) ?? 0) ||
      b.knownFrom.getTime() - a.knownFrom.getTime() ||
      (a.other < b.other ? -1 : 1),
  )
  const phrases = new Set<string>()
  for (const { type, outgoing, other } of chosen) {
    const phrase = PHRASES[type][outgoing ? 0 : 1].replace('*', () => other)
    if (phrases.size < PHRASES_MAX && [...phrases, phrase].join(', ').length <= LENGTH_MAX) phrases.add(phrase)
  }
  return phrases.size > 0 ? [...phrases].join(', ') : null
}
