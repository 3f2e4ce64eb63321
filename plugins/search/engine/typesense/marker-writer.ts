import { randomUUID } from 'node:crypto'
import type { Tx } from 'mneme/plugin'
import type { IndexParts } from './index-state.ts'
import { CollectionMissing, Rejected, Unavailable, WritesLost } from './messages.ts'
import { type IndexedMemory, idToken, MARKER_WORKSPACE, markerSince, vectorsOf } from './schema.ts'
import { counting } from './server.ts'

/** A marker that is to be written. */
export interface NextMarker {
  readonly seq: number
  /** The highest marker that searches require, which the searched collection shows unless it lost writes; 0 before the first one. */
  readonly required: number
}

/** Markers this far back are of processes that are gone: others write one at least at every check. */
const OLD_MARKERS = 10_000

/** Proof that a collection has kept what was written to it. */
interface Kept {
  /** The filter that a marker of former writes passes. */
  readonly filter: string
  readonly seq: number
  /** The marker to replace next, so that the former one stays. */
  readonly next: 0 | 1
}

/** Writes the markers of this process: two in turn, so that the former one shows whether the writes before it are still there. */
export class Markers {
  readonly graceMs: number
  readonly #writers = [idToken(randomUUID()), idToken(randomUUID())] as const
  readonly #kept = new Map<string, Kept>()
  #isFresh = true

  constructor(private readonly parts: Pick<IndexParts, 'server' | 'index' | 'graceMs'>) {
    this.graceMs = parts.graceMs
  }

  /** Takes the number of a marker that is to be written. */
  async next(tx: Tx): Promise<NextMarker> {
    const { index } = this.parts
    const [row] = await tx<NextMarker[]>`
      select nextval('search.typesense_marker_seq') as seq, coalesce(max(typesense_marker.seq), 0) as required
      from search.typesense_marker
      where typesense_marker.name = ${index}`
    return row ?? { seq: 0, required: 0 }
  }

  /** Writes a marker to the collection that searches use. @throws {CollectionMissing} */
  async writeLive(collection: string, { seq, required }: NextMarker): Promise<void> {
    // A process that has written none yet goes by those of others.
    if (this.#isFresh && required > 0 && !this.#kept.has(collection)) {
      const filter = `${markerSince(required)} && memory:!=${this.#writers[0]}`
      this.#kept.set(collection, { filter, seq: required, next: 0 })
    }
    this.#isFresh = false
    await this.write(collection, seq)
  }

  /**
   * Writes a marker to a collection of words and that of its vectors. The leader stores it, so it also tells whether they exist, which a
   * follower that lags behind cannot.
   *
   * @throws {CollectionMissing} also when the collection lost writes that it had acknowledged
   */
  async write(collection: string, seq: number): Promise<void> {
    const kept = this.#kept.get(collection)
    const slot = kept?.next ?? 0
    const writer = this.#writers[slot]
    for (const name of [collection, vectorsOf(collection)]) {
      const [line] = await this.parts.server.upsert(name, [markerOf(writer, seq)]).catch(error => {
        if (error instanceof Rejected && error.status === 404) throw new CollectionMissing(collection, { cause: error })
        throw error
      })
      if (!line?.ok) throw new Unavailable(`Typesense does not store a marker: ${line?.error ?? 'no response'}`)
    }
    const filter = `workspace:=${MARKER_WORKSPACE} && memory:=${writer} && created_at:=${seq}`
    if (kept && seq - kept.seq < OLD_MARKERS) {
      const has = await this.#shows(collection, filter, kept.filter)
      if (has === undefined) return
      if (!has) throw new WritesLost(collection)
    }
    this.#kept.set(collection, { filter, seq, next: slot === 0 ? 1 : 0 })
  }

  /** Tells whether a node that shows a new marker shows a former one as well; undefined when the node has yet to receive the new one. */
  async #shows(collection: string, added: string, former: string): Promise<boolean | undefined> {
    const names = [collection, vectorsOf(collection)]
    const searches = names.flatMap(name => [added, former].map(filter => counting(name, filter)))
    const results = await this.parts.server.search(searches).catch(error => {
      if (error instanceof Rejected || error instanceof Unavailable) return []
      throw error
    })
    const [words, formerWords, vectors, formerVectors] = results.map(result => (result?.found ?? 0) > 0)
    return words && vectors ? formerWords === true && formerVectors === true : undefined
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
  async tidy(collection: string, { seq }: NextMarker): Promise<void> {
    const filter = `workspace:=${MARKER_WORKSPACE} && created_at:<${seq - OLD_MARKERS}`
    for (const name of [collection, vectorsOf(collection)]) await this.parts.server.remove(name, filter)
  }
}

function markerOf(writer: string, seq: number): IndexedMemory {
  return {
    id: `marker_${writer}`,
    workspace: MARKER_WORKSPACE,
    memory: writer,
    user: MARKER_WORKSPACE,
    priority: MARKER_WORKSPACE,
    categories: [],
    created_at: seq,
    lasting: 'yes',
    words: [],
    stamp: '',
  }
}
