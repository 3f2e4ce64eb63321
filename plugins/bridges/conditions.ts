import { parseInstant, validationError } from 'mneme/plugin'
import { type Memory, type Page, type Service, unsupported } from './service.ts'

/** A search of this service can ask this of a memory, one condition at a time. */
export type Condition =
  | { readonly field: 'user_id' | 'agent_id' | 'session_id'; readonly is: string }
  | { readonly field: 'categories'; readonly any: readonly string[] }
  | { readonly field: 'created_after' | 'created_before'; readonly at: string }
  | { readonly field: 'metadata'; readonly key: string; readonly op: MetadataOperator; readonly value: unknown }

export type MetadataOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'exists'

/** Conditions as filters of other services nest them. */
export type Tree = Condition | { readonly all: readonly Tree[] } | { readonly any: readonly Tree[] }

/** Each of them is a search of its own. */
const BRANCHES_MAX = 8

/** The filters of lists and searches, by the names of this service. */
export interface Filters {
  user_id?: string
  agent_id?: string
  session_id?: string
  categories?: readonly string[]
  created_after?: string
  created_before?: string
  filter?: Record<string, Record<string, unknown>>
}

/**
 * Brings conditions into filters of which a memory has to pass one. None are left where no memory can pass.
 * @throws BRIDGE_UNSUPPORTED where a search here cannot ask that
 */
export function alternatives(tree: Tree): Filters[] {
  return branches(tree).flatMap(branch => toFilters(branch) ?? [])
}

/** As {@link alternatives}, where only one can be asked for, in the query of a list. */
export function onlyAlternative(tree: Tree) {
  const [first, second] = alternatives(tree)
  if (second) throw unsupported('Mneme lists by conditions that all hold; ask for one alternative of OR at a time.')
  return first && { ...first, filter: first.filter && JSON.stringify(first.filter) }
}

function branches(tree: Tree): Condition[][] {
  if ('field' in tree) return [[tree]]
  if ('all' in tree)
    return tree.all.reduce<Condition[][]>(
      (found, part) => {
        const own = branches(part)
        if (found.length * own.length > BRANCHES_MAX) throw tooMany()
        return found.flatMap(before => own.map(after => [...before, ...after]))
      },
      [[]],
    )
  const found = joined(tree.any) ?? tree.any.flatMap(branches)
  if (found.length > BRANCHES_MAX) throw tooMany()
  return found
}

function tooMany() {
  return unsupported(`A filter may have ${BRANCHES_MAX} alternatives, as each is a search of its own; this has more.`)
}

/** Alternatives of one field that a single condition can express. */
function joined(parts: readonly Tree[]): Condition[][] | undefined {
  const named = parts.flatMap(part => ('field' in part && part.field === 'categories' ? [part] : []))
  if (named.length === parts.length) return [[{ field: 'categories', any: named.flatMap(({ any }) => any) }]]
  const equal = parts.flatMap(part => ('field' in part && part.field === 'metadata' && part.op === 'eq' ? [part] : []))
  const [first] = equal
  if (!first || equal.length < parts.length || equal.some(({ key }) => key !== first.key)) return undefined
  return [[{ ...first, op: 'in', value: equal.map(({ value }) => value) }]]
}

/** Joins conditions that all hold; undefined where they exclude each other. */
function toFilters(branch: readonly Condition[]): Filters | undefined {
  const filters: Filters = {}
  for (const condition of branch) {
    switch (condition.field) {
      case 'categories':
        if (filters.categories) throw unsupported('Mneme asks for one of several categories, once in each alternative.')
        filters.categories = condition.any
        break
      case 'created_after':
      case 'created_before':
        filters[condition.field] = narrower(condition.field, filters[condition.field], condition.at)
        break
      case 'metadata':
        addMetadata(filters, condition)
        break
      default:
        if ((filters[condition.field] ?? condition.is) !== condition.is) return undefined
        filters[condition.field] = condition.is
    }
  }
  return filters
}

function narrower(field: 'created_after' | 'created_before', one: string | undefined, other: string): string {
  if (one === undefined) return other
  return one < other === (field === 'created_after') ? other : one
}

function addMetadata(filters: Filters, { key, op, value }: Extract<Condition, { field: 'metadata' }>): void {
  // Dots lead into objects here, and are part of a key elsewhere.
  const name = key.replace(/[.\\]/g, '\\$&')
  const own = filters.filter?.[name] ?? {}
  if (op in own && JSON.stringify(own[op]) !== JSON.stringify(value))
    throw unsupported(`Mneme tests \`${key}\` by \`${op}\` once in each alternative.`)
  filters.filter = { ...filters.filter, [name]: { ...own, [op]: value } }
}

/** Reads a bound of time; this service's own bounds are inclusive. @param exclusive a millisecond beyond the bound */
export function timeCondition(field: 'created_after' | 'created_before', path: string, given: unknown, exclusive = 0) {
  const at = typeof given === 'string' ? parseInstant(given) : undefined
  if (!at) throw validationError([{ path, message: 'must be an ISO 8601 date or date-time' }])
  return { field, at: new Date(at.getTime() + exclusive).toISOString() } as const
}

const PAGE_MAX = 100

/** Searches each alternative, and returns the best of all results. */
export async function searchAlternatives(
  service: Service,
  query: string,
  found: readonly Filters[],
  limit: number,
): Promise<Memory[]> {
  const best = new Map<string, Memory>()
  for (const filters of found) {
    for (let page = 1; (page - 1) * PAGE_MAX < limit; page++) {
      const body = { query, ...filters, limit: Math.min(limit, PAGE_MAX), page }
      const { data } = await service.call<Page<Memory>>('POST', '/v1/memories/search', { body })
      for (const memory of data)
        if ((memory.score ?? 0) >= (best.get(memory.id)?.score ?? 0)) best.set(memory.id, memory)
      if (data.length < PAGE_MAX) break
    }
  }
  const results = [...best.values()]
  // The order of a single search is the service's own, which may be that of a reranker.
  if (found.length > 1) results.sort((one, other) => (other.score ?? 0) - (one.score ?? 0))
  return results.slice(0, limit)
}
