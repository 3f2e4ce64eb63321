import { Buffer } from 'node:buffer'
import { compileValidator, DAY_MS, parseInstant, Type } from 'mneme/plugin'
import { v7 } from 'uuid'
import {
  type ArchivedMemory,
  archivedMemory,
  CATEGORIES_MAX,
  CATEGORY_MAX,
  newMemoryFields,
} from '../../memories/contract.ts'
import { type Fields, fieldsOf, type Reading } from './shapes.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DAY = /^\d{4}-\d\d-\d\d$/
/** An archive holds what was accepted once; what comes from elsewhere has to be as if it were created here. */
const validator = compileValidator(
  Type.Object({ ...archivedMemory.properties, categories: newMemoryFields.categories }),
)

/** With what an item has beside the fields read, its metadata may have so many bytes; else only its own metadata are kept. */
const METADATA_BYTES_MAX = 16_384

/**
 * An item of a file of another service, or a plain one. Read are: plain `{text}` (also `memory`, `content`) with any of
 * this service's own field names; mem0's memories (`memory`, `user_id`, `agent_id`, `run_id`, `metadata`, `categories`,
 * `expiration_date`, https://docs.mem0.ai/api-reference); Zep's facts, edges (`fact`, `valid_at`, `invalid_at`), messages and episodes
 * (`content`, `role`, https://help.getzep.com); Hindsight's facts (`text`, `mentioned_at`, `occurred_start`, `tags`,
 * https://hindsight.vectorize.io/api-reference); Supermemory's memories (`containerTags`, https://supermemory.ai/docs); and Letta's passages
 * (https://docs.letta.com). Names in camel case, as the TypeScript libraries of these services give them out, are the same names. What
 * its service says is no longer true, forgotten, deleted or a version before the latest is left out. Relations of mem0 (`source`, `relationship`, `target`) are read as
 * sentences.
 */
export function readForeign(value: unknown, list: string, userId: string, now: Date): Reading {
  const isRelation = list === RELATIONS
  if (typeof value === 'string' && !isRelation) return readForeign({ text: value }, list, userId, now)
  const given = fieldsOf(value)
  if (!given) return { fault: isRelation ? NO_RELATION : 'is neither an object nor a text' }
  const fields = withTags(inSnakeCase(isRelation ? withText(given) : given))
  const isGone = fields.is_forgotten === true || fields.is_deleted === true || fields.is_latest === false
  if (fields.expired_at || isOver(fields.invalid_at, now) || isGone) return { expired: true }
  const text = textOf(fields)
  if (text === undefined)
    return { fault: isRelation ? NO_RELATION : 'has no text: expected one of text, memory, content, fact' }
  if (text.trim() === '') return { fault: 'has a blank text' }
  if (!isMissing(fields.expiration_date) && !lastDayOf(fields.expiration_date))
    return { fault: 'expiration_date must be a date, such as 2026-01-31' }
  const memory = memoryOf(fields, list, userId, now)
  const [fault] = validator.faults(memory)
  if (fault) return { fault: `${fault.path} ${fault.message}` }
  return { memory: memory as ArchivedMemory, isForeign: true }
}

export const RELATIONS = 'relations'

const NO_RELATION = 'is no relation: expected source, relationship and target'

/** mem0 writes the names in its graph without spaces. */
function withText(relation: Fields): Fields {
  const { source, relationship, relation: kind = relationship, target, destination: end = target } = relation
  const parts = [source, kind, end].map(part => (isWord(part) ? part.replaceAll('_', ' ').trim() : ''))
  return parts.every(Boolean) ? { ...relation, text: parts.join(' ') } : relation
}

/** Where a name stands there in both ways, the one in snake case counts. */
function inSnakeCase(fields: Fields): Fields {
  const named = Object.entries(fields).map(([name, value]) => ({ name, value, plain: snakeCase(name) }))
  const [plain, others] = [named.filter(one => one.name === one.plain), named.filter(one => one.name !== one.plain)]
  return Object.fromEntries([...others, ...plain].map(({ plain, value }) => [plain, value]))
}

/** Tags are categories where there are none, as far as they may be ones; all others are kept as metadata. */
function withTags({ tags, ...fields }: Fields): Fields {
  return isMissing(fields.categories) && areCategories(tags) ? { ...fields, categories: tags } : { ...fields, tags }
}

function areCategories(tags: unknown): boolean {
  if (!Array.isArray(tags) || tags.length > CATEGORIES_MAX) return false
  return tags.every(tag => isWord(tag) && tag.length <= CATEGORY_MAX)
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase()
}

function memoryOf(fields: Fields, list: string, userId: string, now: Date) {
  const id = [fields.id, fields.uuid].find(given => typeof given === 'string' && UUID.test(given))
  const told = [fields.created_at, fields.valid_at, fields.timestamp, fields.mentioned_at, fields.occurred_start]
  const createdAt = instantOf(
    told.find(one => !isMissing(one)),
    now,
  )
  return {
    id: typeof id === 'string' ? id.toLowerCase() : v7(),
    memory: spoken(fields, list),
    user_id: identifierOf(fields.user_id, fields.container_tag, firstOf(fields.container_tags)) ?? userId,
    agent_id: identifierOf(fields.agent_id) ?? null,
    session_id: identifierOf(fields.session_id, fields.run_id, fields.thread_id) ?? null,
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
    updated_at: instantOf(isMissing(fields.updated_at) ? createdAt : fields.updated_at, now),
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

function metadataOf(fields: Fields): Fields | null {
  const { type, id, uuid, rating, valid_at: validAt, occurred_start: occurredAt } = fields
  const own = fieldsOf(fields.metadata) ?? {}
  const original = [id, uuid].find(given => typeof given === 'string' || typeof given === 'number')
  const notes = {
    ...(original === undefined || UUID.test(String(original)) ? {} : { original_id: original }),
    ...(typeof rating === 'number' ? { rating } : {}),
    ...(typeof validAt === 'string' ? { valid_at: validAt } : {}),
    ...(typeof occurredAt === 'string' ? { occurred_at: occurredAt } : {}),
  }
  const all = { ...(typeof type === 'string' && type !== 'memory' ? { type } : {}), ...own, ...notes }
  const more = { ...otherOf(fields), ...all }
  const kept = Buffer.byteLength(JSON.stringify(more)) <= METADATA_BYTES_MAX ? more : all
  return Object.keys(kept).length > 0 ? kept : null
}

/** Words, numbers and lists of words that a service says of a memory, beside those that are read and what tells nothing about it. */
function otherOf(fields: Fields): Fields {
  const { text, memory, content, fact, id, uuid, hash, type, metadata, rating, score, ...said } = fields
  const { user_id, container_tag, agent_id, session_id, run_id, thread_id, name, role, role_type, ...unowned } = said
  const { created_at, updated_at, valid_at, invalid_at, timestamp, mentioned_at, occurred_start, ...timeless } = unowned
  const { priority, categories, layer, expires_at, expiration_date, ...lasting } = timeless
  const { is_forgotten, forget_after, is_deleted, is_latest, ...others } = lasting
  return Object.fromEntries(Object.entries(others).filter(([, value]) => isNote(value)))
}

/** Lists of numbers are vectors, and objects are what a service has worked out. */
function isNote(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isWord)
  return isWord(value) || typeof value === 'number' || typeof value === 'boolean'
}

/** A fact may be known to end some day. */
function isOver(invalidAt: unknown, now: Date): boolean {
  if (!invalidAt) return false
  const end = typeof invalidAt === 'string' ? parseInstant(invalidAt) : undefined
  return end === undefined || end <= now
}

/**
 * A memory that expires is a TASK, whatever it says itself, and a TASK that does not say when expires as a new one does. Supermemory forgets
 * at an instant.
 */
function expiryOf({ layer, expires_at: expiresAt, expiration_date: lastDay, forget_after: forgetAfter }: Fields) {
  const last = lastDayOf(lastDay)
  const given = [expiresAt, forgetAfter].find(one => !isMissing(one))
  const expires = last ? new Date(last.getTime() + DAY_MS).toISOString() : given
  if (isMissing(expires)) return { layer: isTask(layer) ? 'TASK' : 'RAW', expires_at: null }
  return { layer: 'TASK', expires_at: expires }
}

/** The day of mem0 on which a memory is shown for the last time. */
function lastDayOf(given: unknown): Date | undefined {
  return typeof given === 'string' && DAY.test(given) ? parseInstant(given) : undefined
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

function firstOf(given: unknown): unknown {
  return Array.isArray(given) ? given[0] : given
}

function wordOf(...given: readonly unknown[]): string | undefined {
  return given.find(isWord)
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
