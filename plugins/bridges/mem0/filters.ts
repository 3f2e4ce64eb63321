import { validationError } from 'mneme/plugin'
import { type Condition, type MetadataOperator, type Tree, timeCondition } from '../conditions.ts'
import { unsupported } from '../service.ts'

/** Where keys that are no field of a memory are keys of its metadata, as in the self-hosted server. */
type Grammar = 'platform' | 'server'

const ENTITIES = { user_id: 'user_id', agent_id: 'agent_id', run_id: 'session_id' } as const

/** Fields that filters of mem0 have and searches here do not. */
const MISSING = ['updated_at', 'timestamp', 'expiration_date', 'keywords', 'keywords_search', 'text', 'memory_ids']

/** Reads a filter of mem0; what searches here cannot ask is refused. */
export function readFilters(given: unknown, grammar: Grammar, path = 'filters'): Tree {
  const parts = Object.entries(fieldsOf(given, path)).map(([key, value]): Tree => {
    const at = `${path}.${key}`
    if (key === 'AND') return { all: listOf(value, at).map((one, n) => readFilters(one, grammar, `${at}.${n}`)) }
    if (key === 'OR') return { any: listOf(value, at).map((one, n) => readFilters(one, grammar, `${at}.${n}`)) }
    if (key === 'NOT') {
      const items = Array.isArray(value) ? value : [value]
      return { all: items.map((one, n) => negated(readFilters(one, grammar, `${at}.${n}`))) }
    }
    return readField(key, value, grammar, at)
  })
  return parts[0] && parts.length === 1 ? parts[0] : { all: parts }
}

function readField(key: string, value: unknown, grammar: Grammar, at: string): Tree {
  if (key in ENTITIES) return readEntity(key as keyof typeof ENTITIES, value, at)
  if (key === 'app_id') return readMetadata('app_id', value, at)
  if (key === 'created_at') return { all: operatorsOf(value).map(([op, bound]) => readTime(op, bound, at)) }
  if (key === 'categories') return readCategories(value, at)
  if (key === 'metadata')
    return { all: Object.entries(fieldsOf(value, at)).map(([name, of]) => readMetadata(name, of, `${at}.${name}`)) }
  if (MISSING.includes(key)) throw unsupported(`Mneme does not filter memories by \`${key}\`.`)
  if (grammar === 'server') return readMetadata(key, value, at)
  throw validationError([{ path: at, message: 'is no field that memories are filtered by' }])
}

function readEntity(key: keyof typeof ENTITIES, value: unknown, at: string): Tree {
  const field = ENTITIES[key]
  return {
    all: operatorsOf(value).map(([op, given]): Tree => {
      // Every memory has a user here.
      if (op === 'eq' && given === '*' && key === 'user_id') return { all: [] }
      if (op === 'eq' && given !== '*') return { field, is: textOf(given, at) }
      if (op === 'in') return { any: listOf(given, at).map(one => ({ field, is: textOf(one, at) })) }
      throw unsupported(
        `Mneme asks for a \`${key}\` by name: one, or several with \`in\`, not by \`${shown(op, given)}\`.`,
      )
    }),
  }
}

function readTime(op: string, bound: unknown, at: string): Condition {
  if (op === 'gte') return { ...timeCondition('created_after', at, bound) }
  if (op === 'gt') return { ...timeCondition('created_after', at, bound, 1) }
  if (op === 'lte') return { ...timeCondition('created_before', at, bound) }
  if (op === 'lt') return { ...timeCondition('created_before', at, bound, -1) }
  throw unsupported(`Mneme compares \`created_at\` by gt, gte, lt and lte, not by \`${op}\`.`)
}

function readCategories(value: unknown, at: string): Tree {
  return {
    all: operatorsOf(Array.isArray(value) ? { in: value } : value).map(([op, given]): Tree => {
      if (op === 'in') return { field: 'categories', any: listOf(given, at).map(one => textOf(one, at)) }
      if (op === 'eq' || op === 'contains') return { field: 'categories', any: [textOf(given, at)] }
      throw unsupported(`Mneme asks for categories by name, with \`in\`, not by \`${op}\`.`)
    }),
  }
}

const OPERATORS: Readonly<Record<string, MetadataOperator>> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
  in: 'in',
  // Equality here holds for an item of a list, which is what containment of JSON asks.
  contains: 'eq',
}

function readMetadata(key: string, value: unknown, at: string): Tree {
  return {
    all: operatorsOf(value).map(([name, given]): Tree => {
      if (name === 'eq' && given === '*') return { field: 'metadata', key, op: 'exists', value: true }
      const op = OPERATORS[name]
      if (!op) throw unsupported(`Mneme compares metadata by ${Object.keys(OPERATORS).join(', ')}, not by \`${name}\`.`)
      for (const one of op === 'in' ? listOf(given, at) : [given])
        if (typeof one === 'object' && one !== null)
          throw unsupported('Mneme compares metadata with texts, numbers and booleans, not with lists or objects.')
      return { field: 'metadata', key, op, value: given }
    }),
  }
}

function negated(tree: Tree): Tree {
  if ('all' in tree && tree.all[0] && tree.all.length === 1) return negated(tree.all[0])
  if ('field' in tree && tree.field === 'metadata') {
    if (tree.op === 'eq') return { ...tree, op: 'ne' }
    if (tree.op === 'ne') return { ...tree, op: 'eq' }
    if (tree.op === 'exists') return { ...tree, value: tree.value === false }
  }
  throw unsupported('Mneme excludes by equality of metadata only: NOT may hold one key of metadata and its value.')
}

/** A bare value is meant as equality. */
function operatorsOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [['eq', value]]
}

function fieldsOf(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw validationError([{ path, message: 'must be an object of conditions' }])
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw validationError([{ path, message: 'must be a list that is not empty' }])
}

function textOf(value: unknown, path: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw validationError([{ path, message: 'must be a text' }])
}

function shown(op: string, value: unknown): string {
  return value === '*' ? '*' : op
}
