import { type BodyCheck, checkFaults, type ErrorDetail, parseInstant } from 'mneme/plugin'
import type { NewMemory, Priority } from '../contract.ts'
import type { CreateBody, FeedbackBody, UpdateBody } from '../schemas.ts'

/** The parsed value, or every fault that the schema alone cannot detect. */
export type Parsed<T> = { readonly value: T } | { readonly faults: ErrorDetail[] }

const textCheck: BodyCheck<Pick<CreateBody, 'memory' | 'content'>> = {
  fields: ['memory', 'content'],
  faults: ({ body }) => oneOfTwo('memory', body.memory, 'content', body.content),
}

/** Rules on a new memory that its schema cannot express. */
export const createChecks: readonly BodyCheck<CreateBody>[] = [
  textCheck,
  {
    fields: ['layer', 'expires_at'],
    faults: ({ body: { layer, expires_at } }) =>
      (expires_at ?? null) === null || layer === 'TASK'
        ? []
        : [{ path: 'expires_at', message: 'is only valid when layer is TASK' }],
  },
]

/** Rules on a change that its schema cannot express. */
export const updateChecks: readonly BodyCheck<UpdateBody>[] = [textCheck]

/** Rules on feedback that its schema cannot express. */
export const feedbackChecks: readonly BodyCheck<FeedbackBody>[] = [
  {
    fields: ['signal', 'rating'],
    faults: ({ body }) => oneOfTwo('signal', body.signal, 'rating', body.rating),
  },
]

/** Parses a body that fits its schema. `now` decides whether an expiry lies in the future. */
export function parseCreateBody(body: CreateBody, now: Date): Parsed<NewMemory> {
  const faults = faultsOf(createChecks, body)
  const text = body.memory ?? body.content
  const expiresAt = parseInstant(body.expires_at ?? '') ?? null
  if (faults.length === 0 && expiresAt && expiresAt <= now)
    faults.push({ path: 'expires_at', message: 'must be in the future' })
  checkUnicode({ ...body, memory: text }, faults)
  if (text === undefined || faults.length > 0) return { faults }
  return {
    value: {
      text,
      ...(typeof body.user_id === 'string' ? { userId: body.user_id } : {}),
      agentId: body.agent_id ?? null,
      sessionId: body.session_id ?? null,
      priority: body.priority ?? 'MEDIUM',
      categories: normalizeCategories(body.categories ?? []),
      metadata: body.metadata ?? null,
      layer: body.layer ?? 'RAW',
      expiresAt,
      source: 'API',
    },
  }
}

/** The changes of an update; `undefined` leaves a field unchanged. */
export interface MemoryChange {
  readonly text: string
  readonly priority: Priority | undefined
  readonly categories: readonly string[] | undefined
  readonly metadata: Readonly<Record<string, unknown>> | null | undefined
}

export function parseUpdateBody(body: UpdateBody): Parsed<MemoryChange> {
  const faults = faultsOf(updateChecks, body)
  const text = body.memory ?? body.content
  checkUnicode({ memory: text, categories: body.categories }, faults)
  if (text === undefined || faults.length > 0) return { faults }
  const categories = body.categories && normalizeCategories(body.categories)
  return { value: { text, priority: body.priority, categories, metadata: body.metadata } }
}

export function parseFeedbackBody(body: FeedbackBody): Parsed<'POSITIVE' | 'NEGATIVE' | 'NEUTRAL'> {
  const faults = faultsOf(feedbackChecks, body)
  const signal = body.signal ?? body.rating
  checkUnicode({ query_hash: body.query_hash }, faults)
  return signal === undefined || faults.length > 0 ? { faults } : { value: signal }
}

/** Trims categories and drops repeated ones, keeping their order. */
export function normalizeCategories(categories: readonly string[]): string[] {
  return [...new Set(categories.map(category => category.trim()))]
}

function faultsOf<B>(checks: readonly BodyCheck<B>[], body: B): ErrorDetail[] {
  return checkFaults(checks, { body, query: {}, scope: undefined })
}

function oneOfTwo(name: string, value: unknown, alias: string, other: unknown): ErrorDetail[] {
  if (value !== undefined && other !== undefined)
    return [{ path: alias, message: `must not be given together with ${name}` }]
  return value === undefined && other === undefined ? [{ path: name, message: 'is required' }] : []
}

/** Lone surrogates have no UTF-8 form, and every layer below would replace them silently. */
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
