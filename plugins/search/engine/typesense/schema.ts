import type { CollectionCreateSchema } from 'typesense/lib/Typesense/Collections'
import type { ModelId } from '../engine.ts'

/** Raised when documents change their form; the next start then fills a new collection, and Postgres answers until it is done. */
export const SCHEMA_VERSION = 1

/** The name of the alias that searches go to, and what the names of collections begin with. */
export const INDEX_NAME = 'mneme_memories'

/** A memory as it stands in Typesense; `vector_<model>_<dimensions>` come to it. Texts, names and metadata stay in Postgres. */
export interface IndexedMemory {
  readonly id: string
  readonly workspace: string
  readonly memory: string
  readonly user: string
  readonly agent?: string
  readonly session?: string
  readonly priority: string
  readonly categories: readonly string[]
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly expires_at?: number
  /** For what never expires: a filter by words costs the same however much there is, one by numbers does not. */
  readonly lasting?: 'yes'
  readonly words: readonly string[]
  /** A digest of all of it, to compare with Postgres. */
  readonly stamp: string
  readonly [vector: `vector_${number}_${number}`]: readonly number[]
}

export function collectionName(index: string, generation: number): string {
  return `${index}_v${SCHEMA_VERSION}_${generation}`
}

/** Whether a collection was made for this index, whatever its schema. */
export function isCollectionOf(index: string, name: string): boolean {
  return name.startsWith(index) && /^_v\d+_\d+$/.test(name.slice(index.length))
}

/** A field for each model and length, made when the first vector of it comes: no server knows them all beforehand. */
export function vectorField(model: ModelId, dimensions: number): `vector_${number}_${number}` {
  return `vector_${model}_${dimensions}`
}

export function vectorFieldSchema(model: ModelId, dimensions: number) {
  return { name: vectorField(model, dimensions), type: 'float[]' as const, num_dim: dimensions, optional: true }
}

export function collectionSchema(name: string): CollectionCreateSchema {
  const token = { type: 'string' as const, sort: false }
  return {
    name,
    fields: [
      { name: 'workspace', ...token },
      { name: 'memory', ...token },
      { name: 'user', ...token },
      { name: 'agent', ...token, optional: true },
      { name: 'session', ...token, optional: true },
      { name: 'priority', ...token },
      { name: 'categories', type: 'string[]' },
      { name: 'words', type: 'string[]' },
      { name: 'created_at', type: 'int64' },
      { name: 'expires_at', type: 'int64', optional: true },
      { name: 'lasting', ...token, optional: true },
      // `stamp` is not named here, so it is kept and not indexed.
    ],
  }
}
