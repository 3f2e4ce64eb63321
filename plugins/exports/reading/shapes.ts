import { compileValidator, parseInstant } from 'mneme/plugin'
import { v7 } from 'uuid'
import { type ArchivedMemory, archivedMemory } from '../../memories/contract.ts'

/** Holds the content of a foreign file's item, or says why it is left out or cannot be read. */
export type Reading = { readonly memory: ArchivedMemory } | { readonly fault: string } | { readonly skip: true }

type Fields = Readonly<Record<string, unknown>>

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const validator = compileValidator(archivedMemory)

/** A memory of this service's own archive. */
export function readArchived(value: unknown): Reading {
  const { type: _, ...memory } = fieldsOf(value) ?? {}
  return checked(memory)
}

export function isArchived(value: unknown): boolean {
  const fields = fieldsOf(value)
  return fields !== undefined && 'memory' in fields && 'layer' in fields && 'revision' in fields
}

/**
 * An item of a file of another service, or a plain one. Read are: plain `{text}` (also `memory`, `content`) with any of
 * this service's own field names; mem0's memories (`memory`, `user_id`, `agent_id`, `run_id`, `metadata`, `categories`,
 * https://docs.mem0.ai/api-reference); and Zep's facts, edges (`fact`, `valid_at`, `invalid_at`), messages and episodes
 * (`content`, `role`, https://help.getzep.com). A fact that Zep says is no longer true is left out.
 */
export function readForeign(value: unknown, list: string, userId: string, now: Date): Reading {
  if (typeof value === 'string') return checked(foreign({ text: value }, list, userId, now))
  const fields = fieldsOf(value)
  if (!fields) return { fault: 'is neither an object nor a text' }
  if (fields.invalid_at || fields.expired_at) return { skip: true }
  if (textOf(fields) === undefined) return { fault: 'has no text: expected one of text, memory, content, fact' }
  return checked(foreign(fields, list, userId, now))
}

function checked(memory: object): Reading {
  const [fault] = validator.faults(memory)
  if (fault) return { fault: `${fault.path} ${fault.message}` }
  return { memory: memory as ArchivedMemory }
}

function foreign(fields: Fields, list: string, userId: string, now: Date) {
  const id = [fields.id, fields.uuid].find(given => typeof given === 'string' && UUID.test(given))
  const createdAt = instantOf(fields.created_at ?? fields.valid_at ?? fields.timestamp, now)
  return {
    id: typeof id === 'string' ? id.toLowerCase() : v7(),
    memory: spoken(fields, list),
    user_id: wordOf(fields.user_id, fields.userId) ?? userId,
    agent_id: wordOf(fields.agent_id, fields.agentId) ?? null,
    session_id: wordOf(fields.session_id, fields.run_id, fields.thread_id, fields.sessionId) ?? null,
    priority: typeof fields.priority === 'string' ? fields.priority.toUpperCase() : 'MEDIUM',
    categories: Array.isArray(fields.categories) ? fields.categories.filter(isWord) : [],
    metadata: metadataOf(fields),
    layer: 'RAW',
    expires_at: null,
    source: 'IMPORT',
    revision: 1,
    consolidated_into: null,
    kept_apart: false,
    own_categories: null,
    own_priority: null,
    access_count: 0,
    last_accessed_at: null,
    feedback: null,
    created_at: createdAt,
    updated_at: instantOf(fields.updated_at ?? createdAt, now),
  }
}

function textOf(fields: Fields): string | undefined {
  return [fields.text, fields.memory, fields.content, fields.fact].find(text => typeof text === 'string')
}

/** A message carries who speaks, as a text of several speakers tells nothing without. */
function spoken(fields: Fields, list: string): string {
  const text = textOf(fields) ?? ''
  const speaker = list === 'messages' ? wordOf(fields.name, fields.role, fields.role_type) : undefined
  return speaker ? `${speaker}: ${text}` : text
}

function metadataOf({ metadata, id, uuid, rating, valid_at: validAt }: Fields): Fields | null {
  const own = fieldsOf(metadata) ?? {}
  const original = [id, uuid].find(given => typeof given === 'string' || typeof given === 'number')
  const notes = {
    ...(original === undefined || UUID.test(String(original)) ? {} : { original_id: original }),
    ...(typeof rating === 'number' ? { rating } : {}),
    ...(typeof validAt === 'string' ? { valid_at: validAt } : {}),
  }
  const all = { ...own, ...notes }
  return Object.keys(all).length > 0 ? all : null
}

/** An instant in the service's own form; seconds and milliseconds since 1970 are understood too. A missing one is now. */
function instantOf(given: unknown, now: Date): unknown {
  if (given === undefined || given === null || given === '') return now.toISOString()
  if (typeof given === 'number') return new Date(given < 1e11 ? given * 1000 : given).toISOString()
  return typeof given === 'string' ? (parseInstant(given)?.toISOString() ?? given) : given
}

function wordOf(...given: readonly unknown[]): string | undefined {
  return given.find(isWord)
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}
