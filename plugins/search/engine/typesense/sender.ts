import type { Database, Logger } from 'mneme/plugin'
import { keyOf, type ReadMemory, readMemories } from './documents.ts'
import { Rejected } from './failures.ts'
import { memoriesOf } from './filters.ts'
import { acknowledge, postpone, type QueuedMemory, type SendQueue } from './queue.ts'
import { type IndexedMemory, vectorField } from './schema.ts'
import type { SearchServer } from './server.ts'

/** The collections that claims are sent to. */
export interface Targets {
  readonly live: string | undefined
  readonly building: string | undefined
}

/** Postgres refers to a collection that Typesense does not have. */
export class CollectionMissing extends Error {
  override readonly name = 'CollectionMissing'
  constructor(
    readonly collection: string,
    options?: ErrorOptions,
  ) {
    super(`Typesense has no collection ${collection}`, options)
  }
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
    private readonly graceMs: number,
  ) {}

  /** Settles every claim; during an outage they are released and the error is rethrown. */
  async send({ live, building }: Targets, claims: readonly QueuedMemory[]): Promise<void> {
    const refusals = new Map<QueuedMemory, string>()
    const unsent = claims.filter(({ row }) => !row.acknowledged)
    try {
      const memories = await this.database.system(tx => readMemories(tx, unsent.map(toKey)))
      if (live !== undefined)
        await this.#sendTo(
          live,
          unsent.filter(({ row }) => row.changed),
          memories,
          refusals,
        )
      if (building !== undefined) await this.#sendTo(building, unsent, memories, refusals)
    } catch (error) {
      await this.database.system(tx => this.queue.release(tx, claims))
      throw error
    }
    const stored = claims.filter(claim => !refusals.has(claim))
    await this.database.system(async tx => {
      await acknowledge(tx, this.queue, stored, this.graceMs)
      await postpone(tx, this.queue, refusals)
    })
    this.#report([...refusals.keys()])
  }

  /** Drops cached knowledge of a collection that may have been removed. */
  forget(collection: string): void {
    this.#fields.delete(collection)
  }

  async #sendTo(
    collection: string,
    claims: readonly QueuedMemory[],
    memories: ReadonlyMap<string, ReadMemory>,
    refusals: Map<QueuedMemory, string>,
  ): Promise<void> {
    const present: { claim: QueuedMemory; memory: ReadMemory }[] = []
    const gone = new Map<string, string[]>()
    for (const claim of claims) {
      const memory = memories.get(keyOf(toKey(claim)))
      if (memory) present.push({ claim, memory })
      else gone.set(claim.workspaceId, [...(gone.get(claim.workspaceId) ?? []), claim.id])
    }
    try {
      await this.#ensureFields(
        collection,
        present.map(({ memory }) => memory),
      )
      for (const part of inParts(present)) {
        const lines = await this.server.upsert(
          collection,
          part.map(({ memory }) => memory.document),
        )
        for (const [n, { claim }] of part.entries()) {
          const line = lines[n]
          if (!line?.ok) refusals.set(claim, `${line?.code ?? ''} ${line?.error ?? 'no response'}`.trim())
        }
      }
      for (const [workspaceId, ids] of gone) {
        for (let from = 0; from < ids.length; from += DELETION_MAX) {
          await this.server.remove(collection, memoriesOf(workspaceId, ids.slice(from, from + DELETION_MAX)))
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
    for (const [name, { model, dimensions }] of needed) {
      if (this.#fields.get(collection)?.has(name)) continue
      const fields = await this.server.fields(collection)
      if (!fields) throw new CollectionMissing(collection)
      if (!fields.has(name)) await this.server.addVectorField(collection, model, dimensions)
      this.#fields.set(collection, new Set([...fields, name]))
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

function inParts<T extends { memory: { document: IndexedMemory; vectors: ReadMemory['vectors'] } }>(rows: T[]): T[][] {
  const parts: T[][] = []
  let bytes = IMPORT_BYTES_MAX
  for (const row of rows) {
    const { document, vectors } = row.memory
    const size = 20 * document.words.length + vectors.reduce((sum, { dimensions }) => sum + 12 * dimensions, 500)
    bytes += size
    if (bytes > IMPORT_BYTES_MAX) {
      parts.push([])
      bytes = size
    }
    parts.at(-1)?.push(row)
  }
  return parts
}
