import { plainArray, type Tx } from 'mneme/plugin'
import type { Owner } from '../resolve/owner.ts'
import type { SettledEntity } from '../resolve/regroup-entities.ts'
import type { EvidenceRow, MentionRow, StatementRow } from './fact-rows.ts'
import type { PlaceOf } from './known-places.ts'

/** Stores what memories of one user say, a statement for each table; the rest of an entity is made of its mentions. */
export async function storeFacts(
  tx: Tx,
  owner: Owner,
  facts: {
    readonly entities: readonly SettledEntity[]
    readonly mentions: readonly MentionRow[]
    readonly evidence: readonly EvidenceRow[]
    readonly statements: readonly StatementRow[]
    readonly placeOf: PlaceOf
  },
): Promise<void> {
  await Promise.all([
    locatePlaces(tx, owner, facts),
    facts.mentions.length > 0 && insertMentions(tx, owner, facts.mentions),
    facts.evidence.length > 0 && insertEvidence(tx, owner, facts.evidence),
    facts.statements.length > 0 && insertStatements(tx, owner, facts.statements),
  ])
}

/** Notes of places what is known of them. */
async function locatePlaces(
  tx: Tx,
  { workspaceId }: Owner,
  { entities, placeOf }: Pick<Parameters<typeof storeFacts>[2], 'entities' | 'placeOf'>,
): Promise<void> {
  const rows = entities.flatMap(({ id, type, normalName }) => {
    const metadata = type === 'PLACE' ? placeOf(normalName) : undefined
    return metadata ? [{ id, metadata }] : []
  })
  if (rows.length === 0) return
  await tx`
    update graph.entity
    set metadata = new.metadata
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (id uuid, metadata jsonb)
    where entity.workspace_id = ${workspaceId}
      and entity.id = new.id
      and entity.metadata is null`
}

async function insertMentions(tx: Tx, { workspaceId, userId }: Owner, mentions: readonly MentionRow[]): Promise<void> {
  await tx`
    with new as (
      select *
      from jsonb_to_recordset(${JSON.stringify(mentions)}::text::jsonb) as given (
        memory_id uuid, entity_id uuid, names text[], normal_names text[], type text, is_firm boolean,
        is_user boolean, confidence real,
        span_start integer, span_end integer, stated_at timestamptz
      )
    ),
    named as (
      insert into graph.name (workspace_id, user_id, normal_name, entity_id)
      select distinct ${workspaceId}::uuid, ${userId}, normal_name, new.entity_id
      from new
      cross join lateral unnest(new.normal_names) as normal_name
      on conflict do nothing
    )
    insert into graph.mention (
      workspace_id, memory_id, entity_id, user_id, names, normal_names, type, is_firm, is_user, confidence, span_start,
      span_end, stated_at
    )
    select
      ${workspaceId}, new.memory_id, new.entity_id, ${userId}, new.names, new.normal_names, new.type, new.is_firm,
      new.is_user, new.confidence, new.span_start, new.span_end, new.stated_at
    from new`
}

async function insertEvidence(tx: Tx, { workspaceId, userId }: Owner, evidence: readonly EvidenceRow[]): Promise<void> {
  await tx`
    insert into graph.evidence (
      workspace_id, id, memory_id, user_id, source_id, target_id, type, confidence, closes, valid_from, valid_to,
      span_start, span_end, stated_at, effective_at, is_concurrent, only_ends
    )
    select
      ${workspaceId}, new.id, new.memory_id, ${userId}, new.source_id, new.target_id, new.type, new.confidence, new.closes,
      new.valid_from, new.valid_to, new.span_start, new.span_end, new.stated_at, new.effective_at, new.is_concurrent, new.only_ends
    from jsonb_to_recordset(${JSON.stringify(evidence)}::text::jsonb) as new (
      id uuid, memory_id uuid, source_id uuid, target_id uuid, type text, confidence real, closes boolean,
      valid_from timestamptz, valid_to timestamptz, span_start integer, span_end integer, stated_at timestamptz,
      effective_at timestamptz, is_concurrent boolean, only_ends boolean
    )`
}

async function insertStatements(
  tx: Tx,
  { workspaceId, userId }: Owner,
  statements: readonly StatementRow[],
): Promise<void> {
  await tx`
    insert into graph.statement (
      workspace_id, memory_id, ordinal, user_id, text, categories, confidence, span_start, span_end, stated_at
    )
    select
      ${workspaceId}, new.memory_id, new.ordinal, ${userId}, new.text, new.categories, new.confidence, new.span_start,
      new.span_end, new.stated_at
    from jsonb_to_recordset(${JSON.stringify(statements)}::text::jsonb) as new (
      memory_id uuid, ordinal integer, text text, categories text[], confidence real, span_start integer,
      span_end integer, stated_at timestamptz
    )`
}

/** The categories of what some memories state. */
export async function categoriesOf(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<string[]> {
  if (memoryIds.length === 0) return []
  const rows = await tx<{ category: string }[]>`
    select distinct category
    from graph.statement
    cross join lateral unnest(statement.categories) as category
    where statement.workspace_id = ${workspaceId}
      and statement.memory_id = any(${plainArray(memoryIds)}::uuid[])`
  return rows.map(row => row.category)
}
