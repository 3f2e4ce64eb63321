import { compileValidator, parseInstant, Type } from 'mneme/plugin'
import { v7 } from 'uuid'
import {
  type ArchivedHistory,
  type ArchivedMemory,
  type ArchiveRecord,
  archivedHistory,
  archivedMemory,
  newMemoryFields,
} from '../../memories/contract.ts'

/** Holds the content of a file's item, or says why it is left out or cannot be read. */
export type Reading =
  | { readonly memory: ArchivedMemory; readonly isForeign: boolean }
  | { readonly history: ArchivedHistory }
  | { readonly record: ArchiveRecord }
  | { readonly fault: string }
  | { readonly skip: true }

type Fields = Readonly<Record<string, unknown>>

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DAY = /^\d{4}-\d\d-\d\d$/
const DAY_MS = 86_400_000
const memoryValidator = compileValidator(archivedMemory)
/** An archive holds what was accepted once; what comes from elsewhere has to be as if it were created here. */
const foreignValidator = compileValidator(
  Type.Object({ ...archivedMemory.properties, categories: newMemoryFields.categories }),
)
const historyValidator = compileValidator(archivedHistory)

/** A memory of this service's own archive. */
export function readArchived(value: unknown): Reading {
  // Earlier archives say `kept_apart`, which now holds for all that is imported.
  const { type: _, kept_apart: _keptApart, ...memory } = fieldsOf(value) ?? {}
  if (memory.layer !== 'TASK' && memory.expires_at !== null) return { fault: 'expires_at is for the layer TASK alone' }
  return checked(memory, false)
}

/** More of the history of the memory before it. */
export function readHistory(value: unknown): Reading {
  const { type: _, ...history } = fieldsOf(value) ?? {}
  const [fault] = historyValidator.faults(history)
  return fault ? { fault: `${fault.path} ${fault.message}` } : { history: history as ArchivedHistory }
}

export function isArchived(value: unknown): boolean {
  const fields = fieldsOf(value)
  return fields !== undefined && 'memory' in fields && 'layer' in fields && 'revision' in fields
}

/**
 * An item of a file of another service, or a plain one. Read are: plain `{text}` (also `memory`, `content`) with any of
 * this service's own field names; mem0's memories (`memory`, `user_id`, `agent_id`, `run_id`, `metadata`, `categories`,
 * `expiration_date`, https://docs.mem0.ai/api-reference); and Zep's facts, edges (`fact`, `valid_at`, `invalid_at`), messages and episodes
 * (`content`, `role`, https://help.getzep.com). A fact that Zep says is no longer true is left out.
 */
export function readForeign(value: unknown, list: string, userId: string, now: Date): Reading {
  if (typeof value === 'string') return readForeign({ text: value }, list, userId, now)
  const fields = fieldsOf(value)
  if (!fields) return { fault: 'is neither an object nor a text' }
  if (fields.expired_at || isOver(fields.invalid_at, now)) return { skip: true }
  const text = textOf(fields)
  if (text === undefined) return { fault: 'has no text: expected one of text, memory, content, fact' }
  if (text.trim() === '') return { fault: 'has a blank text' }
  return checked(foreign(fields, list, userId, now), true)
}

function checked(memory: object, isForeign: boolean): Reading {
  const [fault] = (isForeign ? foreignValidator : memoryValidator).faults(memory)
  if (fault) return { fault: `${fault.path} ${fault.message}` }
  return { memory: memory as ArchivedMemory, isForeign }
}

function foreign(fields: Fields, list: string, userId: string, now: Date) {
  const id = [fields.id, fields.uuid].find(given => typeof given === 'string' && UUID.test(given))
  const createdAt = instantOf(fields.created_at ?? fields.valid_at ?? fields.timestamp, now)
  return {
    id: typeof id === 'string' ? id.toLowerCase() : v7(),
    memory: spoken(fields, list),
    user_id: identifierOf(fields.user_id, fields.userId) ?? userId,
    agent_id: identifierOf(fields.agent_id, fields.agentId) ?? null,
    session_id: identifierOf(fields.session_id, fields.run_id, fields.thread_id, fields.sessionId) ?? null,
    priority: typeof fields.priority === 'string' ? fields.priority.toUpperCase() : 'MEDIUM',
    categories: categoriesOf(fields.categories),
    metadata: metadataOf(fields),
    ...expiryOf(fields),
    source: 'IMPORT',
    revision: 1,
    consolidated_into: null,
    own_categories: null,
    own_priority: null,
    access_count: 0,
    last_accessed_at: null,
    feedback: null,
    created_at: createdAt,
    updated_at: instantOf(fields.updated_at ?? createdAt, now),
  }
}

export function textOf(fields: Fields): string | undefined {
  const texts = [fields.text, fields.memory, fields.content, fields.fact].filter(text => typeof text === 'string')
  return texts.find(isWord) ?? texts[0]
}

/** A text names them with commas between. What is no category is a fault of the item: exports of one category would miss it. */
function categoriesOf(given: unknown): unknown {
  if (isMissing(given)) return []
  const words: unknown = typeof given === 'string' ? given.split(',') : given
  if (!Array.isArray(words)) return words
  return [...new Set(words.filter(word => !isMissing(word)).map(categoryOf))]
}

function categoryOf(given: unknown): unknown {
  const word = identifierOf(given)
  return typeof word === 'string' ? word.trim() : word
}

/** A message carries who speaks, as a text of several speakers tells nothing without. */
function spoken(fields: Fields, list: string): string {
  const text = textOf(fields) ?? ''
  const speaker = list === 'messages' ? wordOf(fields.name, fields.role, fields.role_type) : undefined
  return speaker ? `${speaker}: ${text}` : text
}

function metadataOf({ metadata, type, id, uuid, rating, valid_at: validAt }: Fields): Fields | null {
  const own = fieldsOf(metadata) ?? {}
  const original = [id, uuid].find(given => typeof given === 'string' || typeof given === 'number')
  const notes = {
    ...(original === undefined || UUID.test(String(original)) ? {} : { original_id: original }),
    ...(typeof rating === 'number' ? { rating } : {}),
    ...(typeof validAt === 'string' ? { valid_at: validAt } : {}),
  }
  const all = { ...(typeof type === 'string' && type !== 'memory' ? { type } : {}), ...own, ...notes }
  return Object.keys(all).length > 0 ? all : null
}

/** A fact may be known to end some day. */
function isOver(invalidAt: unknown, now: Date): boolean {
  if (!invalidAt) return false
  const end = typeof invalidAt === 'string' ? parseInstant(invalidAt) : undefined
  return end === undefined || end <= now
}

/**
 * A memory that expires is a TASK, whatever it says itself, and a TASK that does not say when expires as a new one does. A day of mem0 is the last on which the memory is shown; one that cannot be read is none,
 * as there.
 */
function expiryOf({ layer, expires_at: expiresAt, expiration_date: lastDay }: Fields) {
  const last = typeof lastDay === 'string' && DAY.test(lastDay) ? parseInstant(lastDay) : undefined
  const expires = last ? new Date(last.getTime() + DAY_MS).toISOString() : expiresAt
  if (isMissing(expires)) return { layer: isTask(layer) ? 'TASK' : 'RAW', expires_at: null }
  return { layer: 'TASK', expires_at: expires }
}

function isTask(layer: unknown): boolean {
  return typeof layer === 'string' && layer.toUpperCase() === 'TASK'
}

/** An instant in the service's own form; seconds and milliseconds since 1970 are understood too. A missing one is now. */
function instantOf(given: unknown, now: Date): unknown {
  if (isMissing(given)) return now.toISOString()
  if (typeof given === 'number') {
    const at = new Date(given < 1e11 ? given * 1000 : given)
    return Number.isNaN(at.getTime()) ? String(given) : at.toISOString()
  }
  return typeof given === 'string' ? (parseInstant(given)?.toISOString() ?? given) : given
}

/** Spreadsheets and forms write nothing as an empty text. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/** Other services count their users; what is neither a text nor such a number is a fault of the item, never somebody else's. */
function identifierOf(...given: readonly unknown[]): unknown {
  const found = given.find(value => !isMissing(value))
  return Number.isSafeInteger(found) ? String(found) : found
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
