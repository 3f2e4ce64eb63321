import { randomUUID } from 'node:crypto'
import type { Tx } from 'mneme/plugin'
import { CollectionMissing, Rejected, Unavailable } from './failures.ts'
import { MARKER_WORKSPACE } from './marker.ts'
import { type IndexedMemory, vectorsOf } from './schema.ts'
import type { SearchServer } from './server.ts'
import { idToken } from './tokens.ts'

/** Takes the number of a marker that is to be written. */
export async function nextMarker(tx: Tx): Promise<number> {
  const [row] = await tx<{ seq: number }[]>`select nextval('search.typesense_marker_seq') as seq`
  return row?.seq ?? 0
}

export interface MarkerParts {
  readonly server: SearchServer
  /** The alias of words. */
  readonly index: string
  /** The time that followers of a cluster may lag behind their leader. */
  readonly graceMs: number
}

/** Writes the markers of this process, each of which replaces the one before. */
export class Markers {
  readonly graceMs: number
  readonly #writer = idToken(randomUUID())

  constructor(private readonly parts: MarkerParts) {
    this.graceMs = parts.graceMs
  }

  /**
   * Writes a marker to a collection of words and that of its vectors. The leader stores it, so it also tells whether they exist, which a
   * follower that lags behind cannot.
   *
   * @throws {CollectionMissing}
   */
  async write(collection: string, seq: number): Promise<void> {
    for (const name of [collection, vectorsOf(collection)]) {
      const [line] = await this.parts.server.upsert(name, [this.#document(seq)]).catch(error => {
        if (error instanceof Rejected && error.status === 404) throw new CollectionMissing(collection, { cause: error })
        throw error
      })
      if (!line?.ok) throw new Unavailable(`Typesense does not store a marker: ${line?.error ?? 'no response'}`)
    }
  }

  /** Makes searches require a marker that was written, once followers had time to receive it. */
  async require(tx: Tx, seq: number): Promise<void> {
    const { index } = this.parts
    await tx`
      insert into search.typesense_marker (name, seq, due_at)
      values (${index}, ${seq}, now() + ${this.graceMs}::int * interval '1 millisecond')`
    await tx`
      delete from search.typesense_marker
      where typesense_marker.name = ${index}
        and typesense_marker.seq < search.typesense_marker_due(${index})`
  }

  /** Removes the markers of processes that are gone. */
  async tidy(collection: string, before: number): Promise<void> {
    const filter = `workspace:=${MARKER_WORKSPACE} && created_at:<${before}`
    for (const name of [collection, vectorsOf(collection)]) await this.parts.server.remove(name, filter)
  }

  #document(seq: number): IndexedMemory {
    return {
      id: `marker_${this.#writer}`,
      workspace: MARKER_WORKSPACE,
      memory: this.#writer,
      user: MARKER_WORKSPACE,
      priority: MARKER_WORKSPACE,
      categories: [],
      created_at: seq,
      lasting: 'yes',
      words: [],
      stamp: '',
    }
  }
}
