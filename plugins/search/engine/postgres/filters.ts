import { inStatementTime, type Tx, textArray } from 'mneme/plugin'
import { addedConditions, type MemoryFilter, type MetadataCondition } from '../../../memories/contract.ts'

/** The time of a document `d`, which an index has, too. */
export function statedAt(tx: Tx) {
  return tx`coalesce(d.said_at, d.created_at)`
}

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

/** A jsonpath predicate over a metadata object, with its variables as JSON. */
interface MetadataPath {
  readonly path: string
  readonly variables: string
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/**
 * Builds one SQL/JSON path predicate from all conditions; undefined without any. Keys are quoted and values are passed as variables, so
 * neither can change the path. Comparison is typed: a number is never equal to, above or below a text. An array matches by its items. A
 * missing key is unequal to everything. Where a memory has a dotted key as one key, that is compared, and not what the path leads to.
 */
function metadataPath(conditions: readonly MetadataCondition[]): MetadataPath | undefined {
  if (conditions.length === 0) return undefined
  const variables: Record<string, unknown> = {}
  const bindValue = (value: unknown): string => {
    const name = `v${Object.keys(variables).length}`
    variables[name] = value
    return `$${name}`
  }
  const path = conditions.map(condition => predicate(condition, bindValue)).join(' && ')
  return { path, variables: JSON.stringify(variables) }
}

/** Builds the path of all values of a key, those of an array one by one, and of arrays in it, as a comparison would take them. */
function valuesPath(path: readonly string[]): string {
  return `${keyPath(path)}[*][*]`
}

function keyPath(path: readonly string[]): string {
  return `$${path.map(part => `.${JSON.stringify(part)}`).join('')}`
}

/** Returns the key that a dotted key is when it is not split; undefined where it has no parts. */
function wholeKey(path: readonly string[]): string | undefined {
  return path.length > 1 ? path.join('.') : undefined
}

function predicate({ path, op, value }: MetadataCondition, bindValue: (value: unknown) => string): string {
  const whole = wholeKey(path)
  const some = (comparison: string) => {
    const isSuch = (key: string) => `exists(${key}${comparison && ` ? (${comparison})`})`
    if (whole === undefined) return isSuch(keyPath(path))
    const key = keyPath([whole])
    return `(${isSuch(key)} || (!exists(${key}) && ${isSuch(keyPath(path))}))`
  }
  switch (op) {
    case 'exists':
      return value === false ? `!${some('')}` : some('')
    case 'eq':
      return some(`@ == ${bindValue(value)}`)
    case 'ne':
      return `!${some(`@ == ${bindValue(value)}`)}`
    case 'in':
      return some((Array.isArray(value) ? value : []).map(item => `@ == ${bindValue(item)}`).join(' || '))
    default:
      return some(`@ ${COMPARISONS[op]} ${bindValue(value)}`)
  }
}
