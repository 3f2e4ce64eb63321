import { type BodyCheck, type ErrorDetail, parseInstant } from 'mneme/plugin'
import type { NewMemory, Priority } from '../contract.ts'
import type { CreateBody, FeedbackBody, UpdateBody } from '../schemas.ts'

/** The value of a body, or its faults. */
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

/** Reads a body that has passed its schema and {@link createChecks}; the faults are those that depend on the time. */
export function parseCreateBody(body: CreateBody, now: Date): Parsed<NewMemory> {
  const expiresAt = parseInstant(body.expires_at ?? '') ?? null
  if (expiresAt && expiresAt <= now) return { faults: [{ path: 'expires_at', message: 'must be in the future' }] }
  return {
    value: {
      text: checked(body.memory ?? body.content),
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

/** Reads a body that has passed its schema and {@link updateChecks}. */
export function parseUpdateBody({ memory, content, priority, categories, metadata }: UpdateBody): MemoryChange {
  return {
    text: checked(memory ?? content),
    priority,
    categories: categories && normalizeCategories(categories),
    metadata,
  }
}

/** Reads a body that has passed its schema and {@link feedbackChecks}. */
export function parseFeedbackBody({ signal, rating }: FeedbackBody): NonNullable<FeedbackBody['signal']> {
  return checked(signal ?? rating)
}

function checked<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the body has not passed its checks')
  return value
}

/** Trims categories and drops repeated ones, keeping their order. */
export function normalizeCategories(categories: readonly string[]): string[] {
  return [...new Set(categories.map(category => category.trim()))]
}

function oneOfTwo(name: string, value: unknown, alias: string, other: unknown): ErrorDetail[] {
  if (value !== undefined && other !== undefined)
    return [{ path: alias, message: `must not be given together with ${name}` }]
  return value === undefined && other === undefined ? [{ path: name, message: 'is required' }] : []
}
