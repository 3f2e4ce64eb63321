import { createHash } from 'node:crypto'
import type { CollectionCreateSchema } from 'typesense/lib/Typesense/Collections'
import type { ModelId } from '../engine.ts'

/**
 * A change of the document format raises this version; the next start then fills new collections, and Postgres serves searches until they
 * are complete.
 */
export const SCHEMA_VERSION = 2

/** The alias that searches use; names of collections begin with it. */
export const INDEX_NAME = 'mneme_memories'

/** A memory as stored in the collection of words. Texts, names and metadata stay in Postgres. */
export interface IndexedMemory {
  readonly id: string
  readonly workspace: string
  readonly memory: string
  readonly user: string
  readonly agent?: string
  readonly session?: string
  readonly priority: string
  readonly categories: readonly string[]
  /** The time in milliseconds since 1970. */
  readonly created_at: number
  readonly expires_at?: number
  /** Marks memories that never expire: a filter by words has a constant cost, one by numbers does not. */
  readonly lasting?: 'yes'
  readonly words: readonly string[]
  /** A digest of all fields, to compare with Postgres. */
  readonly stamp: string
}

/** A memory as stored in the collection of vectors, which has a field `vector_<model>_<dimensions>` for each of them. */
export interface IndexedVectors extends IndexedMemory {
  readonly [vector: `vector_${number}_${number}`]: readonly number[]
}

export function collectionName(index: string, generation: number): string {
  return `${index}_v${SCHEMA_VERSION}_${generation}`
}

/**
 * Returns the collection, or alias, of vectors beside that of words. They are apart because the server parses a whole document for each hit,
 * and most of it would be the vector.
 */
export function vectorsOf(name: string): string {
  return `${name}_vectors`
}

/** Tells whether a collection belongs to this index, whatever its schema. */
export function isCollectionOf(index: string, name: string): boolean {
  return name.startsWith(index) && /^_v\d+_\d+(_vectors)?$/.test(name.slice(index.length))
}

/** Each model and vector length has a field, created with its first vector, because no server knows all of them in advance. */
export function vectorField(model: ModelId, dimensions: number): `vector_${number}_${number}` {
  return `vector_${model}_${dimensions}`
}

export function vectorFieldSchema(model: ModelId, dimensions: number) {
  return { name: vectorField(model, dimensions), type: 'float[]' as const, num_dim: dimensions, optional: true }
}

/** @param owner the id of the database that fills the collection */
export function collectionSchema(name: string, owner: string): CollectionCreateSchema {
  const token = { type: 'string' as const, sort: false }
  return {
    name,
    metadata: { database: owner },
    fields: [
      { name: 'workspace', ...token },
      // Facets of this field return the ids of many hits without their documents.
      { name: 'memory', ...token, facet: true },
      { name: 'user', ...token },
      { name: 'agent', ...token, optional: true },
      { name: 'session', ...token, optional: true },
      { name: 'priority', ...token },
      { name: 'categories', type: 'string[]' },
      { name: 'words', type: 'string[]' },
      { name: 'created_at', type: 'int64' },
      { name: 'expires_at', type: 'int64', optional: true },
      { name: 'lasting', ...token, optional: true },
      // `stamp` is not listed, so it is stored but not indexed.
    ],
  }
}

/**
 * Typesense splits, folds and truncates what it indexes by its own rules. It only receives words of ASCII letters and digits, which those
 * rules leave alone: so both engines match the same words, and no value needs escaping in a filter.
 */

/** Converts a prefixed lexeme into a token: itself where it is plain, otherwise a digest. */
export function lexemeToken(lexeme: string): string {
  return PLAIN.test(lexeme) ? `a${lexeme}` : digest(lexeme)
}

/** Converts a user, agent, session or category into a token. */
export function valueToken(value: string): string {
  return digest(value)
}

export function idToken(id: string): string {
  return id.replaceAll('-', '').toLowerCase()
}

/** Restores the id from a token of {@link idToken}; undefined for anything else. */
export function idOfToken(token: unknown): string | undefined {
  if (typeof token !== 'string' || !/^[0-9a-f]{32}$/.test(token)) return undefined
  return token.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Typesense truncates longer tokens. */
const PLAIN = /^[a-z0-9]{1,40}$/

/** A collision of these 128 bits would only add a candidate, which Postgres then rejects. */
function digest(text: string): string {
  return `h${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

/**
 * A marker tells whether a node has everything that is no longer queued. A node that was restarted says that it is healthy while it replays
 * its log, and a follower may lag, so a response counts only if the same request shows a marker that is recent enough. Its number is taken
 * after all that it covers was stored, and it is written after its number was taken.
 */

/** The value of `workspace` in markers, which no workspace has. */
export const MARKER_WORKSPACE = 'marker'

/** Builds the filter that a marker passes if it is no older than `seq`. */
export function markerSince(seq: number): string {
  return `workspace:=${MARKER_WORKSPACE} && created_at:>=${seq}`
}
