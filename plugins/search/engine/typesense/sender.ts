import { type Database, inParts, type Logger, paced } from 'mneme/plugin'
import { documentSteps, keyOf, type ReadMemory, readMemories } from './documents.ts'
import { CollectionMissing, Rejected } from './failures.ts'
import { memoriesOf } from './filters.ts'
import type { Markers } from './marker-writer.ts'
import { acknowledge, postpone, type QueuedMemory, type SendQueue } from './queue.ts'
import { type IndexedMemory, vectorField, vectorsOf } from './schema.ts'
import type { SearchServer } from './server.ts'

/** The collections that claims are sent to; those of vectors are beside them. */
export interface Targets {
  readonly live: string | undefined
  readonly building: string | undefined
}

/** An import carries this many bytes of vectors and words, unless a single memory has more. */
const IMPORT_BYTES_MAX = 4_000_000
/** A deletion carries this many ids, because its address may have 4,000 characters. */
const DELETION_MAX = 40
/** From this number of attempts on a refused memory is logged, and again at every doubling. */
const REPORTED_ATTEMPTS = 4

/** Sends the current state of claimed memories to Typesense and settles each claim by the result. */
export class Sender {
  /** The fields of collections known to exist. */
  readonly #fields = new Map<string, Set<string>>()

  constructor(
    private readonly database: Database,
    private readonly queue: SendQueue,
    private readonly server: SearchServer,
    private readonly log: Logger,
    private readonly markers: Markers,
  ) {}

  /** Settles every claim; during an outage they are released and the error is rethrown. */
  async send({ live, building }: Targets, claims: readonly QueuedMemory[]): Promise<void> {
    const refusals = new Map<QueuedMemory, string>()
    const unsent = claims.filter(({ row }) => !row.acknowledged)
    let marker: number | undefined
    try {
      const rows = await this.database.system(tx => readMemories(tx, unsent.map(toKey)))
      const memories = await paced(documentSteps(rows))
      if (live !== undefined)
        await this.#sendTo(
          live,
          unsent.filter(({ row }) => row.changed),
          memories,
          refusals,
        )
      if (building !== undefined) await this.#sendTo(building, unsent, memories, refusals)
      if (live !== undefined && unsent.some(({ row }) => row.changed)) marker = await this.#mark(live, building)
    } catch (error) {
      await this.database.system(tx => this.queue.release(tx, claims))
      throw error
    }
    const stored = claims.filter(claim => !refusals.has(claim))
    await this.database.system(async tx => {
      await acknowledge(tx, this.queue, stored, this.markers.graceMs)
      if (marker !== undefined) await this.markers.require(tx, marker)
      await postpone(tx, this.queue, refusals)
    })
    this.#report([...refusals.keys()])
  }

  /** Drops cached knowledge of a collection that may have been removed. */
  forget(collection: string): void {
    this.#fields.delete(vectorsOf(collection))
  }

  /** Both collections get it, so that no search after a switch misses it. */
  async #mark(live: string, building: string | undefined): Promise<number> {
    const marker = await this.database.system(tx => this.markers.next(tx))
    await this.markers.writeLive(live, marker)
    if (building !== undefined) await this.markers.write(building, marker.seq)
    return marker.seq
  }

  async #upsert(
    collection: string,
    part: readonly Present[],
    documentOf: (memory: ReadMemory) => IndexedMemory,
    refusals: Map<QueuedMemory, string>,
  ): Promise<void> {
    const lines = await this.server.upsert(
      collection,
      part.map(({ memory }) => documentOf(memory)),
    )
    for (const [n, { claim }] of part.entries()) {
      const line = lines[n]
      if (!line?.ok) refusals.set(claim, `${line?.code ?? ''} ${line?.error ?? 'no response'}`.trim())
    }
  }

  async #sendTo(
    collection: string,
    claims: readonly QueuedMemory[],
    memories: ReadonlyMap<string, ReadMemory>,
    refusals: Map<QueuedMemory, string>,
  ): Promise<void> {
    const present: Present[] = []
    const gone = new Map<string, string[]>()
    for (const claim of claims) {
      const memory = memories.get(keyOf(toKey(claim)))
      if (memory) present.push({ claim, memory })
      else gone.set(claim.workspaceId, [...(gone.get(claim.workspaceId) ?? []), claim.id])
    }
    try {
      await this.#ensureFields(
        vectorsOf(collection),
        present.map(({ memory }) => memory),
      )
      for (const part of inParts(present, IMPORT_BYTES_MAX, ({ memory }) => memory.bytes)) {
        await this.#upsert(collection, part, ({ words }) => words, refusals)
        await this.#upsert(vectorsOf(collection), part, ({ withVectors }) => withVectors, refusals)
      }
      for (const [workspaceId, ids] of gone) {
        for (const part of inParts(ids, DELETION_MAX)) {
          const filter = memoriesOf(workspaceId, part)
          for (const name of [collection, vectorsOf(collection)]) await this.server.remove(name, filter)
        }
      }
    } catch (error) {
      if (!(error instanceof Rejected && error.status === 404)) throw error
      this.forget(collection)
      throw new CollectionMissing(collection, { cause: error })
    }
  }

  /** Creates the vector fields that the memories need. */
  async #ensureFields(collection: string, memories: readonly ReadMemory[]): Promise<void> {
    const needed = new Map(
      memories.flatMap(({ vectors }) =>
        vectors.map(({ model, dimensions }) => [vectorField(model, dimensions), { model, dimensions }] as const),
      ),
    )
    const known = this.#fields.get(collection) ?? new Set()
    this.#fields.set(collection, known)
    for (const [name, { model, dimensions }] of needed) {
      if (known.has(name)) continue
      await this.server.addVectorField(collection, model, dimensions)
      known.add(name)
    }
  }

  #report(refused: readonly QueuedMemory[]): void {
    for (const { workspaceId, id: memoryId, attempts: failures } of refused) {
      if (failures < REPORTED_ATTEMPTS || !Number.isInteger(Math.log2(failures))) continue
      this.log.error(
        { workspaceId, memoryId, failures },
        'Typesense rejects a memory; Postgres serves it instead (bun run search verify shows the reason)',
      )
    }
  }
}

const toKey = ({ workspaceId, id }: QueuedMemory) => ({ workspaceId, memoryId: id })

interface Present {
  readonly claim: QueuedMemory
  readonly memory: ReadMemory
}
