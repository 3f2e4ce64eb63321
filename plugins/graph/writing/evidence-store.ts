import { plainArray, type Tx } from 'mneme/plugin'
import type { RelationType } from '../contract.ts'
import type { Triple } from '../resolve/move-mentions.ts'
import type { EdgeChanges, StoredEdge } from './edge-changes.ts'
import type { Evidence } from './evidence.ts'

interface EvidenceRow {
  id: string
  memory_id: string
  source_id: string
  target_id: string
  type: RelationType
  confidence: number
  closes: boolean
  valid_from: Date | null
  valid_to: Date | null
  stated_at: Date
  effective_at: Date | null
  is_concurrent: boolean
  only_ends: boolean
  edge_id: string | null
}

function columns(tx: Tx) {
  return tx`
    evidence.id, evidence.memory_id, evidence.source_id, evidence.target_id, evidence.type, evidence.confidence,
    evidence.closes, evidence.valid_from, evidence.valid_to, evidence.stated_at, evidence.effective_at, evidence.is_concurrent,
    evidence.only_ends, evidence.edge_id`
}

function toEvidence(row: EvidenceRow): Evidence {
  return {
    id: row.id,
    memoryId: row.memory_id,
    sourceId: row.source_id,
    targetId: row.target_id,
    type: row.type,
    confidence: row.confidence,
    closes: row.closes,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    statedAt: row.stated_at,
    effectiveAt: row.effective_at,
    isConcurrent: row.is_concurrent,
    onlyEnds: row.only_ends,
    edgeId: row.edge_id,
  }
}

/** All evidence of some sources and types, whatever the target. */
export async function evidenceOfSources(
  tx: Tx,
  workspaceId: string,
  sources: readonly Pick<Triple, 'sourceId' | 'type'>[],
): Promise<Evidence[]> {
  if (sources.length === 0) return []
  const rows = await tx<EvidenceRow[]>`
    select ${columns(tx)}
    from (
      select distinct source_id, type
      from jsonb_to_recordset(${triplesJson(sources)}::text::jsonb) as given (source_id uuid, type text)
    ) as wanted
    cross join lateral (
      select *
      from graph.evidence
      where evidence.workspace_id = ${workspaceId}
        and evidence.source_id = wanted.source_id
        and evidence.type = wanted.type
      -- Keeps the look-up one of the index, even where nothing is known of the table's size yet.
      offset 0
    ) as evidence`
  return rows.map(toEvidence)
}

/** All evidence of some relationships. */
export async function evidenceOfTriples(tx: Tx, workspaceId: string, triples: readonly Triple[]): Promise<Evidence[]> {
  if (triples.length === 0) return []
  const rows = await tx<EvidenceRow[]>`select ${columns(tx)} from ${ofTriples(tx, workspaceId, 'evidence', triples)}`
  return rows.map(toEvidence)
}

/** The rows of a table that are of some relationships. */
function ofTriples(tx: Tx, workspaceId: string, table: 'evidence' | 'edge', triples: readonly Triple[]) {
  return tx`
    (
      select distinct source_id, target_id, type
      from jsonb_to_recordset(${triplesJson(triples)}::text::jsonb) as given (source_id uuid, target_id uuid, type text)
    ) as wanted
    cross join lateral (
      select *
      from ${table === 'edge' ? tx`graph.edge` : tx`graph.evidence`} as known
      where known.workspace_id = ${workspaceId}
        and known.source_id = wanted.source_id
        and known.target_id = wanted.target_id
        and known.type = wanted.type
      offset 0
    ) as ${table === 'edge' ? tx`edge` : tx`evidence`}`
}

/** All evidence of a type about some entities, at either end. */
export async function evidenceAround(
  tx: Tx,
  workspaceId: string,
  type: RelationType,
  entityIds: readonly string[],
): Promise<Evidence[]> {
  if (entityIds.length === 0) return []
  const ids = plainArray(entityIds)
  const rows = await tx<EvidenceRow[]>`
    select ${columns(tx)}
    from graph.evidence
    where evidence.workspace_id = ${workspaceId}
      and evidence.type = ${type}
      and evidence.source_id = any(${ids}::uuid[])
    union
    select ${columns(tx)}
    from graph.evidence
    where evidence.workspace_id = ${workspaceId}
      and evidence.type = ${type}
      and evidence.target_id = any(${ids}::uuid[])`
  return rows.map(toEvidence)
}

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
    from ${ofTriples(tx, workspaceId, 'edge', triples)}`
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

/** Stores what changed, and which evidence is of which edge. */
export async function writeEdges(
  tx: Tx,
  workspaceId: string,
  userId: string,
  { written, removed, linked }: EdgeChanges,
): Promise<void> {
  const edges = written.map(edge => ({
    id: edge.id,
    source_id: edge.sourceId,
    target_id: edge.targetId,
    type: edge.type,
    known_from: edge.knownFrom,
    known_to: edge.knownTo,
    valid_from: edge.validFrom,
    valid_to: edge.validTo,
    weight: edge.weight,
  }))
  const links = linked.map(({ evidenceId, edgeId }) => ({ id: evidenceId, edge_id: edgeId }))
  const statements: Promise<unknown>[] = []
  if (removed.length > 0) {
    statements.push(
      tx`delete from graph.edge where edge.workspace_id = ${workspaceId} and edge.id = any(${plainArray(removed)}::uuid[])`,
    )
  }
  if (edges.length > 0) statements.push(upsertEdges(tx, workspaceId, userId, JSON.stringify(edges)))
  if (links.length > 0) {
    statements.push(tx`
      update graph.evidence
      set edge_id = link.edge_id
      from jsonb_to_recordset(${JSON.stringify(links)}::text::jsonb) as link (id uuid, edge_id uuid)
      where evidence.workspace_id = ${workspaceId}
        and evidence.id = link.id`)
  }
  await Promise.all(statements)
}

async function upsertEdges(tx: Tx, workspaceId: string, userId: string, edges: string): Promise<void> {
  await tx`
    insert into graph.edge (
      workspace_id, id, user_id, source_id, target_id, type, known_from, known_to, valid_from, valid_to, weight,
      weighed_at, created_at, updated_at
    )
    select
      ${workspaceId}, new.id, ${userId}, new.source_id, new.target_id, new.type, new.known_from, new.known_to,
      new.valid_from, new.valid_to, new.weight, now(), now(), now()
    from jsonb_to_recordset(${edges}::text::jsonb) as new (
      id uuid, source_id uuid, target_id uuid, type text, known_from timestamptz, known_to timestamptz,
      valid_from timestamptz, valid_to timestamptz, weight real
    )
    on conflict (workspace_id, id) do update
    set
      source_id = excluded.source_id, target_id = excluded.target_id, known_from = excluded.known_from,
      known_to = excluded.known_to, valid_from = excluded.valid_from, valid_to = excluded.valid_to,
      weight = excluded.weight, updated_at = excluded.updated_at,
      -- Where its end has come since, the chore that weighs anew has yet to see that.
      weighed_at = case
        when edge.valid_to >= edge.weighed_at and edge.valid_to <= now() then edge.weighed_at
        else excluded.weighed_at
      end`
}

function triplesJson(triples: readonly (Omit<Triple, 'targetId'> & Partial<Triple>)[]): string {
  return JSON.stringify(
    triples.map(({ sourceId, targetId, type }) => ({ source_id: sourceId, target_id: targetId, type })),
  )
}
