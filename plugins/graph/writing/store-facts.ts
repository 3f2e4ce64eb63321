import { insertRows, plainArray, type Tx, textArray } from 'mneme/plugin'
import { insertNames } from '../resolve/move-mentions.ts'
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
  const names = mentions.flatMap(row => row.normal_names.map(name => ({ name, entity_id: row.entity_id })))
  await Promise.all([
    insertNames(tx, { workspaceId, userId }, names),
    insertRows(
      tx,
      mentions,
      row => tx`(
        ${workspaceId}, ${row.memory_id}, ${row.entity_id}, ${userId}, ${textArray(row.names)}::text::text[],
        ${textArray(row.normal_names)}::text::text[], ${row.type}, ${row.is_firm}, ${row.is_user}, ${row.confidence},
        ${row.span_start}, ${row.span_end}, ${row.stated_at.toISOString()}
      )`,
      values => tx`
        insert into graph.mention (
          workspace_id, memory_id, entity_id, user_id, names, normal_names, type, is_firm, is_user, confidence, span_start,
          span_end, stated_at
        )
        values ${values}`,
    ),
  ])
}

async function insertEvidence(tx: Tx, { workspaceId, userId }: Owner, evidence: readonly EvidenceRow[]): Promise<void> {
  await insertRows(
    tx,
    evidence,
    row => tx`(
      ${workspaceId}, ${row.id}, ${row.memory_id}, ${userId}, ${row.source_id}, ${row.target_id}, ${row.type},
      ${row.confidence}, ${row.closes}, ${row.valid_from?.toISOString() ?? null}, ${row.valid_to?.toISOString() ?? null},
      ${row.span_start}, ${row.span_end}, ${row.stated_at.toISOString()}, ${row.effective_at?.toISOString() ?? null},
      ${row.is_concurrent}, ${row.only_ends}
    )`,
    values => tx`
      insert into graph.evidence (
        workspace_id, id, memory_id, user_id, source_id, target_id, type, confidence, closes, valid_from, valid_to,
        span_start, span_end, stated_at, effective_at, is_concurrent, only_ends
      )
      values ${values}`,
  )
}

async function insertStatements(
  tx: Tx,
  { workspaceId, userId }: Owner,
  statements: readonly StatementRow[],
): Promise<void> {
  await insertRows(
    tx,
    statements,
    row => tx`(
      ${workspaceId}, ${row.memory_id}, ${row.ordinal}, ${userId}, ${row.text}, ${textArray(row.categories)}::text::text[],
      ${row.confidence}, ${row.span_start}, ${row.span_end}, ${row.stated_at.toISOString()}
    )`,
    values => tx`
      insert into graph.statement (
        workspace_id, memory_id, ordinal, user_id, text, categories, confidence, span_start, span_end, stated_at
      )
      values ${values}`,
  )
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
