import type { Tx } from 'mneme/plugin'
import type { ArchiveRecord, ArchiveScope, ArchiveSection } from '../../memories/contract.ts'
import { type EdgeRow, edgeColumns, edgeEvidence, edgeForm } from '../reading/edges.ts'

/** Entities come first, then relationships; a cursor says which of the two goes on. */
const ENTITIES = 'entities:'
const RELATIONSHIPS = 'relationships:'

/**
 * Entities and relationships, for reading: they are drawn from the memories again where these are imported. They do not heed categories: names,
 * descriptions and weights come from memories of several.
 */
export const graphSection: ArchiveSection = {
  name: 'graph',
  types: ['entity', 'relationship'],
  async page(tx, workspaceId, scope, after = ENTITIES, limit) {
    if (after.startsWith(ENTITIES)) {
      const records = await entitiesAfter(tx, workspaceId, scope, after.slice(ENTITIES.length), limit)
      const last = records.at(-1)?.id
      return { records, next: records.length < limit ? RELATIONSHIPS : `${ENTITIES}${last}` }
    }
    const records = await relationshipsAfter(tx, workspaceId, scope, after.slice(RELATIONSHIPS.length), limit)
    const last = records.at(-1)?.id
    return { records, next: records.length < limit ? undefined : `${RELATIONSHIPS}${last}` }
  },
}

async function entitiesAfter(
  tx: Tx,
  workspaceId: string,
  { userId }: ArchiveScope,
  after: string,
  limit: number,
): Promise<ArchiveRecord[]> {
  const rows = await tx<{ id: string; created_at: Date; updated_at: Date }[]>`
    select
      entity.id, entity.user_id, entity.type as kind, entity.name, entity.description, entity.metadata,
      entity.created_at, entity.updated_at,
      to_json(array(
        select distinct name.normal_name
        from graph.name
        where name.workspace_id = ${workspaceId} and name.entity_id = entity.id
        order by name.normal_name
      )) as names
    from graph.entity
    where entity.workspace_id = ${workspaceId}
      ${after === '' ? tx`` : tx`and entity.id > ${after}`}
      ${userId === undefined ? tx`` : tx`and entity.user_id = ${userId}`}
    order by entity.id
    limit ${limit}`
  return rows.map(({ created_at, updated_at, ...row }) => ({
    ...row,
    type: 'entity',
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }))
}

async function relationshipsAfter(
  tx: Tx,
  workspaceId: string,
  { userId }: ArchiveScope,
  after: string,
  limit: number,
): Promise<ArchiveRecord[]> {
  const rows = await tx<(EdgeRow & { user_id: string })[]>`
    select ${edgeColumns(tx, undefined)}, edge.user_id
    from graph.edge
    ${edgeEvidence(tx, workspaceId, undefined)}
    where edge.workspace_id = ${workspaceId}
      ${after === '' ? tx`` : tx`and edge.id > ${after}`}
      ${userId === undefined ? tx`` : tx`and edge.user_id = ${userId}`}
    order by edge.id
    limit ${limit}`
  return rows.map(row => {
    const { type, ...form } = edgeForm(row)
    return {
      ...form,
      type: 'relationship',
      kind: type,
      user_id: row.user_id,
      source_id: row.source_id,
      target_id: row.target_id,
    }
  })
}
