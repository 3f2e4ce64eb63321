import type { MetadataCondition } from '../../../memories/contract.ts'

/** A jsonpath predicate over a metadata object, with its variables as JSON. */
export interface MetadataPath {
  readonly path: string
  readonly variables: string
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/**
 * Builds one SQL/JSON path predicate from all conditions; undefined without any. Keys are quoted and values are passed as variables, so
 * neither can change the path. Comparison is typed: a number is never equal to, above or below a text. An array matches by its items. A
 * missing key is unequal to everything. Where a memory has a dotted key as one key, that is compared, and not what the path leads to.
 */
export function metadataPath(conditions: readonly MetadataCondition[]): MetadataPath | undefined {
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
export function valuesPath(path: readonly string[]): string {
  return `${keyPath(path)}[*][*]`
}

function keyPath(path: readonly string[]): string {
  return `$${path.map(part => `.${JSON.stringify(part)}`).join('')}`
}

/** Returns the key that a dotted key is when it is not split; undefined where it has no parts. */
export function wholeKey(path: readonly string[]): string | undefined {
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
