import type { Tx } from 'mneme/plugin'
import { Misconfigured } from './failures.ts'
import { vectorsOf } from './schema.ts'
import type { SearchServer } from './server.ts'

/** Returns the id by which this database knows its own collections. */
export async function databaseId(tx: Tx): Promise<string> {
  const [row] = await tx<{ id: string }[]>`select typesense_owner.id from search.typesense_owner limit 1`
  if (!row) throw new Error('search.typesense_owner is empty')
  return row.id
}

export interface OwnershipParts {
  readonly server: SearchServer
  /** The alias of words. */
  readonly index: string
  readonly owner: string
}

/**
 * Checks that neither alias leads to a collection of another database, which would then serve its documents here. A collection without an
 * id is of an earlier version, and ours if Postgres knows its name.
 *
 * @param known the names of collections in Postgres
 * @throws {Misconfigured}
 */
export async function refuseForeign(parts: OwnershipParts, known: readonly string[]): Promise<void> {
  const { server, index, owner } = parts
  for (const alias of [index, vectorsOf(index)]) {
    const name = await server.aliased(alias)
    const described = name === undefined ? undefined : await server.describe(name)
    if (!described || described.database === owner) continue
    if (described.database === undefined && known.some(own => name === own || name === vectorsOf(own))) continue
    throw foreign(described.name, index)
  }
}

/** Creates a collection of words and that of its vectors unless they exist. @throws {Misconfigured} when they are another database's */
export async function createOwn({ server, index, owner }: OwnershipParts, collection: string): Promise<void> {
  for (const name of [collection, vectorsOf(collection)]) {
    if (await server.createCollection(name, owner)) continue
    const described = await server.describe(name)
    if (described && described.database !== owner) throw foreign(name, index)
  }
}

function foreign(collection: string, index: string): Misconfigured {
  return new Misconfigured(
    `The Typesense collection ${collection} belongs to another database, so it is left alone and Postgres serves searches. ` +
      `Give this database a Typesense of its own, or delete the aliases and collections there whose names begin with ${index} if nothing uses them.`,
  )
}
