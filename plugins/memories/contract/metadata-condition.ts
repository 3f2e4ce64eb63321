import { type Fragment, inStatementTime, type Tx } from 'mneme/plugin'
import type { MetadataCondition } from './metadata-filter.ts'

/** A list that is longer has a hash table: a path compares each of its values with each item of an array. */
const LISTED_IN_PATH_MAX = 4

/** So many conditions are compared between two looks at the clock: ten with lists of 20,000 items take some 25 ms. */
const COMPARED_TOGETHER = 10

/** Builds the conditions on a column of metadata as one. How long they take is up to who wrote the metadata and the filter, so it looks at the clock. */
export function metadataCondition(tx: Tx, column: Fragment, conditions: readonly MetadataCondition[] = []): Fragment {
  const short = conditions.filter(condition => !isLong(condition))
  const groups = Array.from({ length: Math.ceil(short.length / COMPARED_TOGETHER) }, (_, n) =>
    short.slice(n * COMPARED_TOGETHER, (n + 1) * COMPARED_TOGETHER),
  )
  const compared = [
    ...groups.map(group => comparedByPath(tx, column, group)),
    ...conditions.filter(isLong).map(one => listed(tx, column, one)),
  ]
  return compared.reduce((all, one) => tx`${all} and ${inStatementTime(tx, one)}`, tx`true`)
}

function comparedByPath(tx: Tx, column: Fragment, conditions: readonly MetadataCondition[]) {
  const path = metadataPath(conditions)
  if (path === undefined) return tx`true`
  return tx`
    jsonb_path_match(
      coalesce(${column}, '{}'::jsonb), ${path.path}::jsonpath, ${path.variables}::text::jsonb, true
    )`
}

function listed(tx: Tx, column: Fragment, { path, value }: MetadataCondition) {
  const whole = wholeKey(path)
  const values =
    whole === undefined
      ? tx`${valuesPath(path)}::jsonpath`
      : tx`case when ${column} ? ${whole} then ${valuesPath([whole])}::jsonpath else ${valuesPath(path)}::jsonpath end`
  return tx`
    exists (
      select
      from jsonb_path_query(coalesce(${column}, '{}'::jsonb), ${values}, '{}', true) as item (value)
      where item.value in (select jsonb_array_elements(${JSON.stringify(value)}::text::jsonb))
    )`
}

function isLong({ op, value }: MetadataCondition): boolean {
  return op === 'in' && Array.isArray(value) && value.length > LISTED_IN_PATH_MAX
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
