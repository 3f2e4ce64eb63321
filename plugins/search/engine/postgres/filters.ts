import { inStatementTime, type Tx, textArray } from 'mneme/plugin'
import { addedConditions, type MemoryFilter, type MetadataCondition } from '../../../memories/contract.ts'
import { metadataPath, valuesPath, wholeKey } from './metadata-path.ts'

/**
 * Builds the conditions on columns that documents and embeddings share; `d` is the alias of either. Expired memories never pass, whether a
 * sweep has marked them or not.
 */
export function columnConditions(tx: Tx, workspaceId: string, filter: MemoryFilter) {
  const { userId, agentId, sessionId, priorities, categories, createdAfter, createdBefore, added } = filter
  return tx`
    (d.expires_at is null or d.expires_at > now())
    ${userId === undefined ? tx`` : tx`and d.workspace_id = ${workspaceId} and d.user_id = ${userId}`}
    ${agentId === undefined ? tx`` : tx`and d.agent_id = ${agentId}`}
    ${sessionId === undefined ? tx`` : tx`and d.session_id = ${sessionId}`}
    ${priorities === undefined ? tx`` : tx`and d.priority = any(${textArray(priorities)}::text[])`}
    ${categories === undefined ? tx`` : tx`and d.categories && ${textArray(categories)}::text[]`}
    ${createdAfter === undefined ? tx`` : tx`and d.created_at >= ${createdAfter}`}
    ${createdBefore === undefined ? tx`` : tx`and d.created_at <= ${createdBefore}`}
    ${addedConditions(tx, tx`d.memory_id`, workspaceId, added)}`
}

/** Builds all conditions of a filter on documents. */
export function documentConditions(tx: Tx, workspaceId: string, filter: MemoryFilter) {
  const columns = columnConditions(tx, workspaceId, filter)
  return needsDocument(filter)
    ? tx`
    ${columns}
    and ${metadataCondition(tx, filter)}`
    : columns
}

/** A list that is longer has a hash table: a path compares each of its values with each item of an array. */
const LISTED_IN_PATH_MAX = 4

/** So many conditions are compared between two looks at the clock: ten with lists of 20,000 items take some 25 ms. */
const COMPARED_TOGETHER = 10

/** Builds the condition on metadata of a document `d`. How long it takes is up to who wrote the metadata and the filter, so it looks at the clock. */
export function metadataCondition(tx: Tx, filter: MemoryFilter) {
  const conditions = filter.metadata ?? []
  const short = conditions.filter(condition => !isLong(condition))
  const groups = Array.from({ length: Math.ceil(short.length / COMPARED_TOGETHER) }, (_, n) =>
    short.slice(n * COMPARED_TOGETHER, (n + 1) * COMPARED_TOGETHER),
  )
  const compared = [
    ...groups.map(group => comparedByPath(tx, group)),
    ...conditions.filter(isLong).map(one => listed(tx, one)),
  ]
  return compared.reduce((all, one) => tx`${all} and ${inStatementTime(tx, one)}`, tx`true`)
}

function comparedByPath(tx: Tx, conditions: readonly MetadataCondition[]) {
  const path = metadataPath(conditions)
  if (path === undefined) return tx`true`
  return tx`
    jsonb_path_match(
      coalesce(d.metadata, '{}'::jsonb), ${path.path}::jsonpath, ${path.variables}::text::jsonb, true
    )`
}

function listed(tx: Tx, { path, value }: MetadataCondition) {
  const whole = wholeKey(path)
  const values =
    whole === undefined
      ? tx`${valuesPath(path)}::jsonpath`
      : tx`case when d.metadata ? ${whole} then ${valuesPath([whole])}::jsonpath else ${valuesPath(path)}::jsonpath end`
  return tx`
    exists (
      select
      from jsonb_path_query(coalesce(d.metadata, '{}'::jsonb), ${values}, '{}', true) as item (value)
      where item.value in (select jsonb_array_elements(${JSON.stringify(value)}::text::jsonb))
    )`
}

function isLong({ op, value }: MetadataCondition): boolean {
  return op === 'in' && Array.isArray(value) && value.length > LISTED_IN_PATH_MAX
}

/** Tells whether the filter needs columns that only documents have. */
export function needsDocument(filter: MemoryFilter): boolean {
  return (filter.metadata?.length ?? 0) > 0
}

/** Tells whether a filter is empty or names a user and nothing else. */
export function isByUserAlone({ userId: _, ...others }: MemoryFilter): boolean {
  return Object.keys(others).length === 0
}
