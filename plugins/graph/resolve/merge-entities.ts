import type { Tx } from 'mneme/plugin'
import type { RelationType } from '../contract.ts'
import type { ResolvedEntity } from './entity-index.ts'

/** A relationship by what it is of. */
export interface Triple {
  readonly sourceId: string
  readonly targetId: string
  readonly type: RelationType
}

interface TripleRow {
  source_id: string
  target_id: string
  type: RelationType
}

export function toTriple({ source_id: sourceId, target_id: targetId, type }: TripleRow): Triple {
  return { sourceId, targetId, type }
}

/** Tells whether some memory names both entities separately. */
export async function namedApart(
  tx: Tx,
  workspaceId: string,
  one: ResolvedEntity,
  other: ResolvedEntity,
): Promise<boolean> {
  const rows = await tx`
    select
    from graph.mention
    join graph.mention as beside
      on beside.workspace_id = mention.workspace_id and beside.memory_id = mention.memory_id
    where mention.workspace_id = ${workspaceId}
      and mention.entity_id = ${one.id}
      and beside.entity_id = ${other.id}
    limit 1`
  return rows.length > 0
}

/** Gives everything of one stored entity to another. @returns the relationships that have to be derived anew */
export async function mergeEntity(tx: Tx, workspaceId: string, intoId: string, fromId: string): Promise<Triple[]> {
  await tx`
    update graph.mention
    set entity_id = ${intoId}
    where mention.workspace_id = ${workspaceId}
      and mention.entity_id = ${fromId}`
  await tx`
    insert into graph.name (workspace_id, user_id, normal_name, entity_id)
    select name.workspace_id, name.user_id, name.normal_name, ${intoId}
    from graph.name
    where name.workspace_id = ${workspaceId}
      and name.entity_id = ${fromId}
    on conflict do nothing`
  await tx`delete from graph.name where name.workspace_id = ${workspaceId} and name.entity_id = ${fromId}`
  return moveEvidence(tx, workspaceId, fromId, intoId)
}

/** Lets evidence speak of another entity: all of it, or that of some memories. */
export async function moveEvidence(
  tx: Tx,
  workspaceId: string,
  fromId: string,
  intoId: string,
  memories?: string,
): Promise<Triple[]> {
  const rows = await tx<{ source_id: string; target_id: string; type: RelationType; former: boolean }[]>`
    with moved as (
      select evidence.id, evidence.source_id, evidence.target_id, evidence.type
      from graph.evidence
      where evidence.workspace_id = ${workspaceId}
        and (evidence.source_id = ${fromId} or evidence.target_id = ${fromId})
        ${memories === undefined ? tx`` : tx`and evidence.memory_id = any(${memories}::uuid[])`}
    ),
    renamed as (
      select
        moved.id, moved.type,
        case when moved.source_id = ${fromId} then ${intoId}::uuid else moved.source_id end as source_id,
        case when moved.target_id = ${fromId} then ${intoId}::uuid else moved.target_id end as target_id
      from moved
    ),
    changed as (
      update graph.evidence
      set
        -- Symmetric types have the lesser id as their source.
        source_id = case
          when renamed.type in ('MARRIED_TO', 'KNOWS', 'COLLABORATES_WITH', 'RELATED_TO')
            then least(renamed.source_id, renamed.target_id)
          else renamed.source_id
        end,
        target_id = case
          when renamed.type in ('MARRIED_TO', 'KNOWS', 'COLLABORATES_WITH', 'RELATED_TO')
            then greatest(renamed.source_id, renamed.target_id)
          else renamed.target_id
        end
      from renamed
      where evidence.workspace_id = ${workspaceId}
        and evidence.id = renamed.id
      returning evidence.source_id, evidence.target_id, evidence.type
    )
    select moved.source_id, moved.target_id, moved.type from moved
    union
    select changed.source_id, changed.target_id, changed.type from changed`
  return rows.map(toTriple)
}
