import { type ErrorDetail, parseInstant } from 'mneme/plugin'
import type { NewMemory, Priority } from './contract.ts'
import type { CreateBody, FeedbackBody, UpdateBody } from './schemas.ts'

/** What came of reading a body: the value, or every fault that its schema alone cannot see. */
export type Reading<T> = { readonly value: T } | { readonly faults: ErrorDetail[] }

/** Reads a valid creation body. `now` decides what lies in the future. */
export function readCreateBody(body: CreateBody, now: Date): Reading<NewMemory> {
  const faults: ErrorDetail[] = []
  const text = oneOfTwo('memory', body.memory, 'content', body.content, faults)
  const expiresAt = readExpiry(body, now, faults)
  checkUnicode({ ...body, memory: text }, faults)
  if (text === undefined || faults.length > 0) return { faults }
  return {
    value: {
      text,
      ...(body.user_id === undefined ? {} : { userId: body.user_id }),
      agentId: body.agent_id ?? null,
      sessionId: body.session_id ?? null,
      priority: body.priority ?? 'MEDIUM',
      categories: tidyCategories(body.categories ?? []),
      metadata: body.metadata ?? null,
      layer: body.layer ?? 'RAW',
      expiresAt,
      source: 'API',
    },
  }
}

/** What an update changes; `undefined` leaves a field as it is. */
export interface MemoryChange {
  readonly text: string
  readonly priority: Priority | undefined
  readonly categories: readonly string[] | undefined
  readonly metadata: Readonly<Record<string, unknown>> | null | undefined
}

export function readUpdateBody(body: UpdateBody): Reading<MemoryChange> {
  const faults: ErrorDetail[] = []
  const text = oneOfTwo('memory', body.memory, 'content', body.content, faults)
  checkUnicode({ memory: text, categories: body.categories }, faults)
  if (text === undefined || faults.length > 0) return { faults }
  const categories = body.categories && tidyCategories(body.categories)
  return { value: { text, priority: body.priority, categories, metadata: body.metadata } }
}

export function readFeedbackBody(body: FeedbackBody): Reading<'POSITIVE' | 'NEGATIVE' | 'NEUTRAL'> {
  const faults: ErrorDetail[] = []
  const signal = oneOfTwo('signal', body.signal, 'rating', body.rating, faults)
  checkUnicode({ query_hash: body.query_hash }, faults)
  return signal === undefined || faults.length > 0 ? { faults } : { value: signal }
}

/** Trimmed, and each once, in the order given. */
export function tidyCategories(categories: readonly string[]): string[] {
  return [...new Set(categories.map(category => category.trim()))]
}

function oneOfTwo<T>(name: string, value: T | undefined, alias: string, other: T | undefined, faults: ErrorDetail[]) {
  if (value !== undefined && other !== undefined) {
    faults.push({ path: alias, message: `must not be given together with ${name}` })
  } else if (value === undefined && other === undefined) {
    faults.push({ path: name, message: 'is required' })
  }
  return value ?? other
}

function readExpiry({ layer, expires_at }: CreateBody, now: Date, faults: ErrorDetail[]): Date | null {
  if (expires_at === undefined || expires_at === null) return null
  const instant = parseInstant(expires_at)
  if (layer !== 'TASK') faults.push({ path: 'expires_at', message: 'is only valid when layer is TASK' })
  else if (!instant || instant <= now) faults.push({ path: 'expires_at', message: 'must be in the future' })
  return instant ?? null
}

/** Lone surrogates have no UTF-8 form: each layer below would replace them silently, so they are refused here. */
function checkUnicode(fields: Readonly<Record<string, unknown>>, faults: ErrorDetail[]): void {
  for (const [name, value] of Object.entries(fields)) {
    const texts = Array.isArray(value) ? value : [value]
    texts.forEach((text, index) => {
      if (typeof text !== 'string' || text.isWellFormed()) return
      const path = Array.isArray(value) ? `${name}.${index}` : name
      faults.push({ path, message: 'must be well-formed Unicode, without lone surrogates' })
    })
  }
}
