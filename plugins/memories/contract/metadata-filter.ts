import { type ErrorDetail, isStorableText, parseInstant } from 'mneme/plugin'
import type { Priority } from './words.ts'

/** One condition on a metadata value. `path` is the dotted key, split at its dots; a memory that has it as one key is compared by that. */
export interface MetadataCondition {
  readonly path: readonly string[]
  readonly op: (typeof OPERATORS)[number]
  readonly value: unknown
}

/** Conditions on metadata as callers write them, all of which must hold. */
export type MetadataFilter = Readonly<Record<string, unknown>>

/** The filters as lists and searches receive them. */
export interface FilterInput {
  readonly user_id?: string
  readonly agent_id?: string
  readonly session_id?: string
  readonly priority?: Priority
  readonly priorities?: readonly Priority[]
  readonly categories?: readonly string[]
  readonly created_after?: string
  readonly created_before?: string
  readonly filter?: MetadataFilter
}

/** Converts filters that have passed their schema and {@link metadataFilterFaults}. */
export function readFilter(input: FilterInput) {
  const metadata = Object.entries(input.filter ?? {}).flatMap(([key, value]) => readCondition(key, value, []))
  const createdAfter = readInstant(input.created_after)
  const createdBefore = readInstant(input.created_before)
  const priorities = input.priorities ?? (input.priority && [input.priority])
  return {
    ...(input.user_id === undefined ? {} : { userId: input.user_id }),
    ...(input.agent_id === undefined ? {} : { agentId: input.agent_id }),
    ...(input.session_id === undefined ? {} : { sessionId: input.session_id }),
    ...(priorities ? { priorities } : {}),
    ...(input.categories ? { categories: input.categories.map(category => category.trim()) } : {}),
    ...(createdAfter ? { createdAfter } : {}),
    ...(createdBefore ? { createdBefore } : {}),
    ...(metadata.length > 0 ? { metadata } : {}),
  }
}

function readInstant(input: string | undefined): Date | undefined {
  return input === undefined ? undefined : parseInstant(input)
}

/** Finds what is wrong with conditions on metadata that a schema cannot detect. */
export function metadataFilterFaults(filter: MetadataFilter = {}): ErrorDetail[] {
  const faults = tooManyConditions(filter)
  if (faults.length > 0) return faults
  const conditions = Object.entries(filter).flatMap(([key, value]) => readCondition(key, value, faults))
  return [...faults, ...repetitions(conditions)]
}

const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'exists'] as const

/** A filter is limited in its conditions, and each `in` in its items; metadata has no more levels. */
const CONDITIONS_MAX = 100
const ITEMS_MAX = 100
const PATH_MAX = 32

/**
 * Reads `{key: value}` as equality and `{key: {op: value, …}}` as one condition per operator. Dots in a key lead into objects, where a memory
 * has no key that is written so; `\.` is a literal dot and `\\` a literal backslash.
 */
function readCondition(key: string, given: unknown, faults: ErrorDetail[]): MetadataCondition[] {
  const at = `filter.${key}`
  if (key === '' || !isStorableText(key)) {
    faults.push({ path: at, message: 'must be a key, or keys joined by dots' })
    return []
  }
  const path = pathOf(key)
  if (isScalar(given)) return checked({ path, op: 'eq', value: given }, at, faults)
  if (typeof given !== 'object' || given === null || Array.isArray(given) || Object.keys(given).length === 0) {
    faults.push({
      path: at,
      message: `must be a text, number, boolean or null, or an object of ${OPERATORS.join(', ')}`,
    })
    return []
  }
  return Object.entries(given).flatMap(([name, value]) => {
    const op = OPERATORS.find(operator => operator === name)
    if (op) return checked({ path, op, value }, `${at}.${name}`, faults)
    faults.push({ path: `${at}.${name}`, message: `is not an operator; use ${OPERATORS.join(', ')}` })
    return []
  })
}

/** A key whose dots cannot lead anywhere, as `.env`, is one key. */
function pathOf(key: string): string[] {
  const path = splitPath(key)
  return path.length > PATH_MAX || path.includes('') ? [path.join('.')] : path
}

/** Any other backslash is literal, so that ordinary keys with one need no escape. */
function splitPath(key: string): string[] {
  const path = ['']
  for (const part of key.match(/\\[.\\]|\.|[^.\\]+|\\/g) ?? []) {
    if (part === '.') path.push('')
    else path.push((path.pop() ?? '') + (part.length === 2 && /^\\[.\\]$/.test(part) ? part.slice(1) : part))
  }
  return path
}

/** The same test of the same value again would only cost time, and its key can be spelt in many ways. */
function repetitions(conditions: readonly MetadataCondition[]): ErrorDetail[] {
  const seen = new Set<string>()
  return conditions.flatMap(({ path, op }) => {
    const test = JSON.stringify([path, op])
    if (seen.has(test)) return [{ path: 'filter', message: `must test ${path.join('.')} by ${op} once` }]
    seen.add(test)
    return []
  })
}

function checked(condition: MetadataCondition, at: string, faults: ErrorDetail[]): MetadataCondition[] {
  const message = faultOf(condition)
  if (message === undefined) return [condition]
  faults.push({ path: at, message })
  return []
}

function faultOf({ op, value }: MetadataCondition): string | undefined {
  if (op === 'exists') return typeof value === 'boolean' ? undefined : 'must be true or false'
  if (op === 'in') {
    const fits = Array.isArray(value) && value.length > 0 && value.length <= ITEMS_MAX && value.every(isScalar)
    return fits ? undefined : `must be a list of 1 to ${ITEMS_MAX} texts, numbers, booleans or nulls`
  }
  if (op === 'eq' || op === 'ne') return isScalar(value) ? undefined : 'must be a text, number, boolean or null'
  const comparable = isScalar(value) && (typeof value === 'string' || typeof value === 'number')
  return comparable ? undefined : 'must be a text or a number'
}

/** Counts conditions before any of them is read: each operator is one, and so is a key without an operator. */
function tooManyConditions(filter: MetadataFilter): ErrorDetail[] {
  let conditions = 0
  for (const value of Object.values(filter)) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    conditions += isObject ? Math.max(1, Object.keys(value).length) : 1
    if (conditions > CONDITIONS_MAX)
      return [{ path: 'filter', message: `must have at most ${CONDITIONS_MAX} conditions` }]
  }
  return []
}

function isScalar(value: unknown): value is string | number | boolean | null {
  // No memory has a text that Postgres cannot store.
  if (typeof value === 'string') return isStorableText(value)
  return value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
}
