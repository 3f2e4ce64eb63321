import { validationError } from 'mneme/plugin'
import type { MetadataOperator, Tree } from '../conditions.ts'
import { unsupported } from '../service.ts'

const NUMERIC: Readonly<Record<string, MetadataOperator>> = {
  '=': 'eq',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
}

/** Reads a filter of Supermemory, whose conditions are all on metadata. */
export function readFilters(given: unknown, path = 'filters'): Tree {
  if (typeof given !== 'object' || given === null) throw validationError([{ path, message: 'must be an object' }])
  for (const [name, parts] of Object.entries(given)) {
    if (name !== 'AND' && name !== 'OR') continue
    if (!Array.isArray(parts)) throw validationError([{ path: `${path}.${name}`, message: 'must be a list' }])
    const read = parts.map((part: unknown, n) => readFilters(part, `${path}.${name}.${n}`))
    return name === 'AND' ? { all: read } : { any: read }
  }
  return readLeaf({ ...given }, path)
}

function readLeaf(leaf: Readonly<Record<string, unknown>>, path: string): Tree {
  const { key, value, filterType = 'metadata', numericOperator = '=', negate, ignoreCase } = leaf
  if (typeof key !== 'string') throw validationError([{ path: `${path}.key`, message: 'must be a text' }])
  const [isNegated, anyCase] = [negate, ignoreCase].map(one => one === true || one === 'true')
  const condition = { field: 'metadata', key } as const
  if (anyCase) throw unsupported('Mneme compares metadata letter by letter; leave out `ignoreCase`.')
  if (filterType === 'numeric') {
    const op = NUMERIC[String(numericOperator)]
    if (!op || (isNegated && op !== 'eq'))
      throw unsupported('Mneme compares numbers by =, >, >=, < and <=, and negates =.')
    return { ...condition, op: isNegated ? 'ne' : op, value: Number(value) }
  }
  if (filterType === 'array_contains') return { ...condition, op: isNegated ? 'ne' : 'eq', value }
  if (filterType !== 'metadata') throw unsupported(`Mneme does not filter by \`${filterType}\`; search for the text.`)
  // Values come as texts, whatever type the metadata has.
  const readings = [value, ...(value === 'true' || value === 'false' ? [value === 'true'] : [Number(value)])]
  const possible = readings.filter(one => !Number.isNaN(one))
  if (!isNegated) return { ...condition, op: 'in', value: possible }
  if (possible.length > 1)
    throw unsupported('Say by `filterType` `numeric` that a number is meant that is not to be there.')
  return { ...condition, op: 'ne', value }
}
