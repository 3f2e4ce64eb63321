import { Type } from 'mneme/plugin'
import type { Asked } from '../bridge.ts'
import { alternatives, onlyAlternative, searchAlternatives, type Tree, timeCondition } from '../conditions.ts'
import { unsupported } from '../errors.ts'
import { count, text } from '../fields.ts'
import type { Memory, Page, Service } from '../service.ts'
import { readFilters } from './filters.ts'

export const PAGE_MAX = 100

export const pages = Type.Object({ page: count(1_000_000), page_size: count(PAGE_MAX) })
export const owner = { user_id: text, agent_id: text, app_id: text, run_id: text }

/** A memory as mem0 shows it, under both names that its answers have for the run. */
export function toMem0({ metadata, ...memory }: Memory) {
  const { app_id: appId = null, ...own } = metadata ?? {}
  return {
    id: memory.id,
    memory: memory.memory,
    user_id: memory.user_id,
    agent_id: memory.agent_id,
    app_id: appId,
    run_id: memory.session_id,
    session_id: memory.session_id,
    metadata: metadata && Object.keys(own).length > 0 ? own : null,
    categories: memory.categories,
    created_at: memory.created_at,
    updated_at: memory.updated_at,
    expiration_date: memory.expires_at ? lastDayBefore(memory.expires_at) : null,
    ...(memory.score === undefined ? {} : { score: memory.score }),
  }
}

export interface Owner {
  readonly user_id?: string
  readonly agent_id?: string
  readonly app_id?: string
  readonly run_id?: string
}

/** The fields that a memory of mem0 is stored with here. */
export function toOwner({ user_id, agent_id, run_id }: Owner) {
  return {
    ...(user_id === undefined ? {} : { user_id }),
    ...(agent_id === undefined ? {} : { agent_id }),
    ...(run_id === undefined ? {} : { session_id: run_id }),
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** A memory of mem0 is there until its day has passed. */
export function endOfDay(date: string): string {
  const start = Date.parse(date)
  return Number.isNaN(start) ? date : new Date(start + DAY_MS).toISOString()
}

function lastDayBefore(instant: string): string {
  return new Date(Date.parse(instant) - 1).toISOString().slice(0, 10)
}

/** Reads a time of mem0: seconds since 1970, or ISO 8601. */
export function toInstant(timestamp: number | string): string {
  const seconds = Number(timestamp)
  return Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString() : String(timestamp)
}

/** A search has to say whose memories it is about, or that it is about all. */
export function required(filters: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  if (Object.keys(filters).length > 0) return filters
  throw unsupported('Name in `filters` whose memories are meant; `{"user_id": "*"}` are those of all.')
}

interface Narrowing {
  readonly categories?: readonly string[]
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly start_date?: string
  readonly end_date?: string
}

export function narrowed({ categories, metadata, start_date, end_date }: Narrowing): Tree[] {
  return [
    ...(categories ? [{ field: 'categories', any: categories } as const] : []),
    ...(metadata ? [readFilters({ metadata }, 'platform', 'metadata')] : []),
    ...(start_date ? [timeCondition('created_after', 'start_date', start_date)] : []),
    ...(end_date ? [timeCondition('created_before', 'end_date', endOfDay(end_date), -1)] : []),
  ]
}

export async function search(service: Service, query: string, filters: Tree, given: Narrowing, limit: number) {
  const tree = { all: [filters, ...narrowed(given)] }
  return (await searchAlternatives(service, query, alternatives(tree), limit)).map(toMem0)
}

export async function list(
  service: Service,
  all: readonly Tree[],
  page: { readonly page: number; readonly page_size: number },
) {
  const filters = onlyAlternative({ all })
  if (!filters) return { data: [], total: 0 }
  const { filter: _, ...query } = filters
  return service.call<Page<Memory>>('GET', '/v1/memories', { query: { ...query, ...page } })
}

export function picked<T extends object>(memory: T, names: readonly string[] | undefined): Partial<T> {
  return names
    ? (Object.fromEntries(Object.entries(memory).filter(([name]) => names.includes(name))) as Partial<T>)
    : memory
}

type One = Pick<Asked, 'service' | 'params'>

export function memoryOf({ service, params }: One, id = params.id ?? ''): Promise<Memory> {
  return service.call('GET', '/v1/memories/:id', { params: { id } })
}

interface Change {
  readonly text?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly timestamp?: number | string
}

export async function update(call: One, id: string, { text, metadata, timestamp }: Change): Promise<Memory> {
  const before = await memoryOf(call, id)
  // What the bridge keeps in the metadata for itself is no part of what a client replaces.
  const { app_id, said_at, said_by } = before.metadata ?? {}
  const kept = Object.entries({ app_id, said_at, said_by }).filter(([, value]) => value !== undefined)
  const changed = {
    ...(metadata ? { ...Object.fromEntries(kept), ...metadata } : before.metadata),
    ...(timestamp === undefined ? {} : { said_at: toInstant(timestamp) }),
  }
  const body = { memory: text ?? before.memory, metadata: changed }
  return call.service.call('PUT', '/v1/memories/:id', { params: { id }, body })
}

interface HistoryEvent {
  readonly id: string
  readonly memory_id: string
  readonly event: 'CREATED' | 'UPDATED' | 'CONSOLIDATED' | 'RESTORED'
  readonly old_content: string | null
  readonly new_content: string
  readonly created_at: string
}

export async function historyOf(call: One) {
  const { user_id, categories } = await memoryOf(call)
  const events: HistoryEvent[] = []
  for (let page = 1; ; page++) {
    const query = { page, page_size: PAGE_MAX }
    const { params } = call
    const { data } = await call.service.call<Page<HistoryEvent>>('GET', '/v1/memories/:id/history', { params, query })
    events.push(...data)
    if (data.length < PAGE_MAX) break
  }
  return events.map(({ event, old_content, new_content, ...told }) => ({
    ...told,
    event: event === 'CREATED' || event === 'RESTORED' ? 'ADD' : 'UPDATE',
    old_memory: old_content,
    new_memory: new_content,
    input: [],
    user_id,
    categories,
    updated_at: told.created_at,
  }))
}

/** The addresses of other pages are relative to the request's own. */
export function envelope(
  { page, page_size }: { readonly page: number; readonly page_size: number },
  count: number,
  results: readonly unknown[],
) {
  const at = (other: number) => `?page=${other}&page_size=${page_size}`
  return {
    count,
    next: page * page_size < count ? at(page + 1) : null,
    previous: page > 1 ? at(page - 1) : null,
    results,
  }
}
