import { type Fragment, insertRows, plainArray, type Tx } from 'mneme/plugin'
import type { RelationType } from '../contract.ts'
import type { Triple } from '../resolve/move-mentions.ts'
import type { EdgeChanges, StoredEdge } from './edge-changes.ts'
import { tripleKey, wantedTriples } from './read-evidence.ts'

/** Finds the sources stated for some targets, by type. */
export async function sourcesAt(
  tx: Tx,
  workspaceId: string,
  types: readonly RelationType[],
  targetIds: readonly string[],
): Promise<Pick<Triple, 'sourceId' | 'type'>[]> {
  if (targetIds.length === 0) return []
  const rows = await tx<{ source_id: string; type: RelationType }[]>`
    select distinct evidence.source_id, evidence.type
    from graph.evidence
    where evidence.workspace_id = ${workspaceId}
      and evidence.target_id = any(${plainArray(targetIds)}::uuid[])
      and evidence.type = any(${plainArray(types)}::text[])`
  return rows.map(row => ({ sourceId: row.source_id, type: row.type }))
}

/** The stored edges of some relationships. */
export async function edgesOf(tx: Tx, workspaceId: string, triples: readonly Triple[]): Promise<StoredEdge[]> {
  if (triples.length === 0) return []
  const rows = await tx<
    {
      id: string
      source_id: string
      target_id: string
      type: RelationType
      known_from: Date
      known_to: Date | null
      valid_from: Date | null
      valid_to: Date | null
      weight: number
    }[]
  >`
    select
      edge.id, edge.source_id, edge.target_id, edge.type, edge.known_from, edge.known_to, edge.valid_from, edge.valid_to,
      edge.weight
    from ${wantedTriples(tx, triples)}
    cross join lateral (
      select *
      from graph.edge as known
      where known.workspace_id = ${workspaceId}
        and known.source_id = wanted.source_id
        and known.target_id = wanted.target_id
        and known.type = wanted.type
      -- Keeps the look-up one of the index, even where nothing is known of the table's size yet.
      offset 0
    ) as edge`
  return rows.map(row => ({
    id: row.id,
    sourceId: row.source_id,
    targetId: row.target_id,
    type: row.type,
    knownFrom: row.known_from,
    knownTo: row.known_to,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    weight: row.weight,
  }))
}

/** Returns those of some edges that evidence speaks of. */
export async function withEvidence(tx: Tx, workspaceId: string, edgeIds: readonly string[]): Promise<Set<string>> {
  if (edgeIds.length === 0) return new Set()
  const rows = await tx<{ id: string }[]>`
    select edge.id
    from unnest(${plainArray(edgeIds)}::uuid[]) as edge (id)
    where exists (
      select
      from graph.evidence
      where evidence.workspace_id = ${workspaceId}
        and evidence.edge_id = edge.id
    )`
  return new Set(rows.map(row => row.id))
}

/** Gives evidence that was not read, and has no edge or one that went, to the last edge of its relationship. */
export async function linkUnread(
  tx: Tx,
  workspaceId: string,
  { derived, removed }: EdgeChanges,
  partial: ReadonlySet<string>,
): Promise<void> {
  const last = new Map(derived.filter(edge => partial.has(tripleKey(edge))).map(edge => [tripleKey(edge), edge]))
  const links = [...last.values()].map(({ id, sourceId, targetId, type }) => ({
    source_id: sourceId,
    target_id: targetId,
    type,
    edge_id: id,
  }))
  if (links.length === 0) return
  const link = (unlinked: Fragment) => tx`
    update graph.evidence
    set edge_id = link.edge_id
    from jsonb_to_recordset(${JSON.stringify(links)}::text::jsonb) as link (
      source_id uuid, target_id uuid, type text, edge_id uuid
    )
    where evidence.workspace_id = ${workspaceId}
      and evidence.source_id = link.source_id
      and evidence.target_id = link.target_id
      and evidence.type = link.type
      and not evidence.only_ends
      and ${unlinked}`
  // Two statements: each finds its rows by an index of its own, however much evidence the relationship has.
  await link(tx`evidence.edge_id is null`)
  if (removed.length > 0) await link(tx`evidence.edge_id = any(${plainArray(removed)}::uuid[])`)
}

/** Stores what changed, and which evidence is of which edge. */
export async function writeEdges(
  tx: Tx,
  workspaceId: string,
  userId: string,
  { written, removed, linked }: EdgeChanges,
): Promise<void> {
  const statements: Promise<unknown>[] = []
  if (removed.length > 0) {
    statements.push(
      tx`delete from graph.edge where edge.workspace_id = ${workspaceId} and edge.id = any(${plainArray(removed)}::uuid[])`,
    )
  }
  statements.push(upsertEdges(tx, workspaceId, userId, written))
  if (linked.length > 0) {
    // Arrays tell the planner how many there are; it takes JSON for a hundred, and then reads all evidence of a small database.
    statements.push(tx`
      update graph.evidence
      set edge_id = link.edge_id
      from unnest(
        ${plainArray(linked.map(({ evidenceId }) => evidenceId))}::uuid[],
        ${plainArray(linked.map(({ edgeId }) => edgeId))}::uuid[]
      ) as link (id, edge_id)
      where evidence.workspace_id = ${workspaceId}
        and evidence.id = link.id`)
  }
  await Promise.all(statements)
}

async function upsertEdges(tx: Tx, workspaceId: string, userId: string, edges: EdgeChanges['written']): Promise<void> {
  await insertRows(
    tx,
    edges,
    ({ id, sourceId, targetId, type, knownFrom, knownTo, validFrom, validTo, weight }) => tx`(
      ${workspaceId}, ${id}, ${userId}, ${sourceId}, ${targetId}, ${type}, ${knownFrom.toISOString()},
      ${knownTo?.toISOString() ?? null}, ${validFrom?.toISOString() ?? null}, ${validTo?.toISOString() ?? null}, ${weight},
      now(), now(), now()
    )`,
    values => tx`
    insert into graph.edge (
      workspace_id, id, user_id, source_id, target_id, type, known_from, known_to, valid_from, valid_to, weight,
      weighed_at, created_at, updated_at
    )
    values ${values}
    on conflict (workspace_id, id) do update
    set
      source_id = excluded.source_id, target_id = excluded.target_id, known_from = excluded.known_from,
      known_to = excluded.known_to, valid_from = excluded.valid_from, valid_to = excluded.valid_to,
      weight = excluded.weight, updated_at = excluded.updated_at,
      -- Where its end has come since, the chore that weighs anew has yet to see that.
      weighed_at = case
        when edge.valid_to >= edge.weighed_at and edge.valid_to <= excluded.weighed_at then edge.weighed_at
        else excluded.weighed_at
      end`,
  )
}
