import { type Static, type TObject, Type } from 'mneme/plugin'
import type { Asked } from '../bridge.ts'
import { alternatives, onlyAlternative, searchAlternatives, type Tree, timeCondition } from '../conditions.ts'
import { count, object, text, time, words } from '../fields.ts'
import { type Memory, type Page, type Service, unsupported } from '../service.ts'
import { readFilters } from './filters.ts'

export const PAGE_MAX = 100

export const pages = Type.Object({ page: count(1_000_000), page_size: count(PAGE_MAX) })
export const owner = { user_id: text, agent_id: text, app_id: text, run_id: text }

/** A memory as mem0 shows it, under both names that its answers have for the run. */
export function toMem0({ metadata, session_id, expires_at, ...memory }: Memory) {
  const { id, memory: stated, user_id, agent_id, categories, created_at, updated_at, score } = memory
  const { app_id = null, ...own } = metadata ?? {}
  const run = { run_id: session_id, session_id }
  return {
    ...{ id, memory: stated, user_id, agent_id, app_id, ...run, categories, created_at, updated_at, score },
    metadata: metadata && Object.keys(own).length > 0 ? own : null,
    expiration_date: expires_at ? new Date(Date.parse(expires_at) - 1).toISOString().slice(0, 10) : null,
  }
}

export type Owner = Partial<Record<keyof typeof owner, string>>

const DAY_MS = 24 * 60 * 60 * 1000

/** A memory of mem0 is there until its day has passed. */
export function endOfDay(date: string): string {
  const start = Date.parse(date)
  return Number.isNaN(start) ? date : new Date(start + DAY_MS).toISOString()
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

/** Conditions beside the filters. */
export const narrowing = { categories: words, metadata: object, start_date: text, end_date: text }
type Narrowing = Partial<Static<TObject<typeof narrowing>>>

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
  page: number,
  page_size: number,
): Promise<Page<Memory>> {
  const filters = onlyAlternative({ all })
  const query = { ...filters, page, page_size }
  return filters ? service.call('GET', '/v1/memories', { query }) : { data: [], total: 0 }
}

export function picked(memory: object, names: readonly string[] | undefined): object {
  return names ? Object.fromEntries(Object.entries(memory).filter(([name]) => names.includes(name))) : memory
}

type One = Pick<Asked, 'service' | 'params'>

export function memoryOf({ service, params }: One, id = params.id ?? ''): Promise<Memory> {
  return service.call('GET', '/v1/memories/:id', { params: { id } })
}

export const change = Type.Object({ text, metadata: object, timestamp: time })

export async function update(
  call: One,
  id: string,
  { text: given, metadata, timestamp }: Static<typeof change>,
): Promise<Memory> {
  const before = await memoryOf(call, id)
  // The bridge keeps some of the metadata for itself, which is no part of what a client replaces.
  const { app_id, said_at, said_by } = before.metadata ?? {}
  const kept = Object.entries({ app_id, said_at, said_by }).filter(([, value]) => value !== undefined)
  const changed = {
    ...(metadata ? { ...Object.fromEntries(kept), ...metadata } : before.metadata),
    ...(timestamp === undefined ? {} : { said_at: toInstant(timestamp) }),
  }
  const body = { memory: given ?? before.memory, metadata: changed }
  return call.service.call('PUT', '/v1/memories/:id', { params: { id }, body })
}

type HistoryEvent = Record<'id' | 'memory_id' | 'event' | 'new_content' | 'created_at', string> & {
  readonly old_content: string | null
}

export async function historyOf(call: One) {
  const { user_id, categories } = await memoryOf(call)
  const events: HistoryEvent[] = []
  for (let page = 1; ; page++) {
    const given = { params: call.params, query: { page, page_size: PAGE_MAX } }
    const { data } = await call.service.call<Page<HistoryEvent>>('GET', '/v1/memories/:id/history', given)
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
export function envelope(page: number, page_size: number, count: number, results: readonly unknown[]) {
  const at = (other: number) => `?page=${other}&page_size=${page_size}`
  const next = page * page_size < count ? at(page + 1) : null
  return { count, next, previous: page > 1 ? at(page - 1) : null, results }
}
