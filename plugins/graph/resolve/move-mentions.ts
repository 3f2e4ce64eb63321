import { insertRows, plainArray, type Tx, textArray } from 'mneme/plugin'
import { v7 } from 'uuid'
import { type EntityType, type RelationType, SYMMETRIC_TYPES } from '../contract.ts'
import type { Owner } from './owner.ts'
import { dropNames } from './refresh-entities.ts'
import type { StoredGroup } from './stored-mentions.ts'

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

/** Stored mentions that are of another entity than before. */
export interface MovedMentions extends StoredGroup {
  readonly intoId: string
}

/** Stores entities that are not there yet, and the types of all; the rest is what a refresh makes of their mentions. */
export async function nameEntities(
  tx: Tx,
  { workspaceId, userId }: Owner,
  entities: readonly { readonly id: string; readonly type: EntityType; readonly normalName: string }[],
): Promise<void> {
  await insertRows(
    tx,
    entities,
    ({ id, type, normalName }) =>
      tx`(${workspaceId}, ${id}, ${userId}, ${type}, ${normalName}, ${normalName}, now(), now(), now())`,
    values => tx`
      insert into graph.entity as known
        (workspace_id, id, user_id, type, name, normal_name, known_from, created_at, updated_at)
      values ${values}
      on conflict (workspace_id, id) do update
      set type = excluded.type, updated_at = excluded.updated_at
      where known.type <> excluded.type`,
  )
}

/** Notes which entities have names. */
export async function insertNames(
  tx: Tx,
  { workspaceId, userId }: Owner,
  names: readonly { readonly name: string; readonly entity_id: string }[],
): Promise<void> {
  await insertRows(
    tx,
    names,
    ({ name, entity_id: id }) => tx`(${workspaceId}, ${userId}, ${name}, ${id})`,
    values => tx`
      insert into graph.name (workspace_id, user_id, normal_name, entity_id)
      values ${values}
      on conflict do nothing`,
  )
}

/** Gives mentions and what they are evidence of to other entities. @returns the relationships that have to be derived anew */
export async function moveMentions(tx: Tx, owner: Owner, moves: readonly MovedMentions[]): Promise<Triple[]> {
  if (moves.length === 0) return []
  const { workspaceId } = owner
  // Two that change places would meet, so all step aside first.
  const aside = new Map([...new Set(moves.map(({ intoId }) => intoId))].map(intoId => [intoId, v7()]))
  const moved = await stepAside(tx, workspaceId, moves, aside)
  const places = [...aside].map(([intoId, asideId]) => ({ into_id: intoId, aside_id: asideId }))
  await tx`
    update graph.mention
    set entity_id = place.into_id
    from jsonb_to_recordset(${JSON.stringify(places)}::text::jsonb) as place (into_id uuid, aside_id uuid)
    where mention.workspace_id = ${workspaceId}
      and mention.entity_id = place.aside_id`
  const names = moves.flatMap(({ intoId, normalNames }) => normalNames.map(name => ({ entity_id: intoId, name })))
  await insertNames(tx, owner, names)
  await dropNames(
    tx,
    workspaceId,
    moves.flatMap(({ entityId, normalNames }) => normalNames.map(normalName => ({ entityId, normalName }))),
  )
  const intoOf = new Map([...aside].map(([intoId, asideId]) => [asideId, intoId]))
  return moveEvidence(
    tx,
    workspaceId,
    moved.map(row => ({ memory_id: row.memory_id, from_id: row.entity_id, into_id: intoOf.get(row.aside_id) })),
  )
}

interface SteppedAside {
  readonly memory_id: string
  readonly aside_id: string
  readonly entity_id: string
}

/** @param aside the places where mentions wait, by the entities that they are to be of */
async function stepAside(
  tx: Tx,
  workspaceId: string,
  moves: readonly MovedMentions[],
  aside: ReadonlyMap<string, string>,
): Promise<SteppedAside[]> {
  const rows = moves.map(({ entityId, intoId, normalNames, type, isFirm, isUser }) => ({
    entity_id: entityId,
    into_id: intoId,
    aside_id: aside.get(intoId),
    normal_names: normalNames,
    type,
    is_firm: isFirm,
    is_user: isUser,
  }))
  return tx<SteppedAside[]>`
    with moving as (
      select *
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given (
        entity_id uuid, into_id uuid, aside_id uuid, normal_names text[], type text, is_firm boolean, is_user boolean
      )
    ),
    chosen as (
      -- A memory that names both tells them apart, so there one of them stays.
      select distinct on (mention.memory_id, moving.into_id) mention.memory_id, mention.entity_id, moving.aside_id
      from graph.mention
      join moving
        on moving.entity_id = mention.entity_id
        and moving.normal_names = mention.normal_names
        and moving.type = mention.type
        and moving.is_firm = mention.is_firm
        and moving.is_user = mention.is_user
      where mention.workspace_id = ${workspaceId}
        and not exists (
          select
          from graph.mention as beside
          where beside.workspace_id = ${workspaceId}
            and beside.memory_id = mention.memory_id
            and beside.entity_id = moving.into_id
            and not exists (
              select
              from moving as leaving
              where leaving.entity_id = beside.entity_id
                and leaving.normal_names = beside.normal_names
                and leaving.type = beside.type
                and leaving.is_firm = beside.is_firm
                and leaving.is_user = beside.is_user
            )
        )
      order by mention.memory_id, moving.into_id, mention.entity_id
    )
    update graph.mention
    set entity_id = chosen.aside_id
    from chosen
    where mention.workspace_id = ${workspaceId}
      and mention.memory_id = chosen.memory_id
      and mention.entity_id = chosen.entity_id
    returning mention.memory_id, chosen.aside_id, chosen.entity_id`
}

/** Lets the evidence of memories speak of other entities. */
async function moveEvidence(
  tx: Tx,
  workspaceId: string,
  moved: readonly { readonly memory_id: string; readonly from_id: string; readonly into_id: string | undefined }[],
): Promise<Triple[]> {
  const memories = plainArray([...new Set(moved.map(({ memory_id }) => memory_id))])
  const symmetric = textArray([...SYMMETRIC_TYPES])
  const rows = await tx<TripleRow[]>`
    with moved as (
      select *
      from jsonb_to_recordset(${JSON.stringify(moved)}::text::jsonb) as given (memory_id uuid, from_id uuid, into_id uuid)
    ),
    renamed as (
      select
        evidence.id, evidence.type, evidence.source_id as former_source_id, evidence.target_id as former_target_id,
        coalesce(source.into_id, evidence.source_id) as source_id,
        coalesce(target.into_id, evidence.target_id) as target_id
      from graph.evidence
      left join moved as source on source.memory_id = evidence.memory_id and source.from_id = evidence.source_id
      left join moved as target on target.memory_id = evidence.memory_id and target.from_id = evidence.target_id
      where evidence.workspace_id = ${workspaceId}
        and evidence.memory_id = any(${memories}::uuid[])
        and (source.into_id is not null or target.into_id is not null)
    ),
    changed as (
      update graph.evidence
      set
        -- Symmetric types have the lesser id as their source.
        source_id = case
          when renamed.type = any(${symmetric}::text[])
            then least(renamed.source_id, renamed.target_id)
          else renamed.source_id
        end,
        target_id = case
          when renamed.type = any(${symmetric}::text[])
            then greatest(renamed.source_id, renamed.target_id)
          else renamed.target_id
        end
      from renamed
      where evidence.workspace_id = ${workspaceId}
        and evidence.id = renamed.id
      returning evidence.source_id, evidence.target_id, evidence.type
    )
    select renamed.former_source_id as source_id, renamed.former_target_id as target_id, renamed.type from renamed
    union
    select changed.source_id, changed.target_id, changed.type from changed`
  return rows.map(toTriple)
}
