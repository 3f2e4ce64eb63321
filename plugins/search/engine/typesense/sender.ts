import type { Database, Logger } from 'mneme/plugin'
import { keyOf, type ReadMemory, readMemories } from './documents.ts'
import { Refused } from './failures.ts'
import { memoriesOf } from './filters.ts'
import { type Claim, confirm, postpone, release, settle } from './queue.ts'
import { type IndexedMemory, vectorField } from './schema.ts'
import type { SearchServer } from './server.ts'

/** Where claims go. */
export interface Targets {
  readonly live: string | undefined
  readonly building: string | undefined
}

/** A collection that Postgres knows of and Typesense does not have. */
export class CollectionMissing extends Error {
  override readonly name = 'CollectionMissing'
  constructor(
    readonly collection: string,
    options?: ErrorOptions,
  ) {
    super(`Typesense has no collection ${collection}`, options)
  }
}

/** Bytes of vectors and words in one import, unless a single memory has more. */
const IMPORT_BYTES_MAX = 4_000_000
/** Ids in one deletion, whose address may have 4,000 characters. */
const DELETION_MAX = 40
/** From here on a memory that is refused is worth an operator's attention, and again at every doubling. */
const REPORTED_ATTEMPTS = 4

/** Brings claimed memories to Typesense as they are now, and settles each claim by what came of it. */
export class Sender {
  /** The fields of collections that are known to be there. */
  readonly #fields = new Map<string, Set<string>>()

  constructor(
    private readonly database: Database,
    private readonly server: SearchServer,
    private readonly log: Logger,
    private readonly graceMs: number,
  ) {}

  /** Settles every claim; when Typesense is away they are given back and the error goes on. */
  async send({ live, building }: Targets, claims: readonly Claim[]): Promise<void> {
    const refusals = new Map<Claim, string>()
    try {
      const memories = await this.database.system(tx => readMemories(tx, claims))
      if (live !== undefined)
        await this.#sendTo(
          live,
          claims.filter(({ changed }) => changed),
          memories,
          refusals,
        )
      if (building !== undefined) await this.#sendTo(building, claims, memories, refusals)
    } catch (error) {
      await settle(this.database, claims, release)
      throw error
    }
    await settle(this.database, claims, async (tx, settled) => {
      const taken = settled.filter(claim => !refusals.has(claim))
      await confirm(tx, taken, this.graceMs)
      for (const claim of settled) {
        const error = refusals.get(claim)
        if (error !== undefined) await postpone(tx, claim, error)
      }
    })
    this.#report([...refusals.keys()])
  }

  /** Forgets what is known of a collection, which may have been dropped. */
  forget(collection: string): void {
    this.#fields.delete(collection)
  }

  async #sendTo(
    collection: string,
    claims: readonly Claim[],
    memories: ReadonlyMap<string, ReadMemory>,
    refusals: Map<Claim, string>,
  ): Promise<void> {
    const present: { claim: Claim; memory: ReadMemory }[] = []
    const gone = new Map<string, string[]>()
    for (const claim of claims) {
      const memory = memories.get(keyOf(claim))
      if (memory) present.push({ claim, memory })
      else gone.set(claim.workspaceId, [...(gone.get(claim.workspaceId) ?? []), claim.memoryId])
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
          if (!line?.ok) refusals.set(claim, `${line?.code ?? ''} ${line?.error ?? 'no answer'}`.trim())
        }
      }
      for (const [workspaceId, ids] of gone) {
        for (let from = 0; from < ids.length; from += DELETION_MAX) {
          await this.server.remove(collection, memoriesOf(workspaceId, ids.slice(from, from + DELETION_MAX)))
        }
      }
    } catch (error) {
      if (!(error instanceof Refused && error.status === 404)) throw error
      this.forget(collection)
      throw new CollectionMissing(collection, { cause: error })
    }
  }

  /** Makes the vector fields that the memories need. */
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

  #report(refused: readonly Claim[]): void {
    for (const { workspaceId, memoryId, attempts } of refused) {
      const failures = attempts + 1
      if (failures < REPORTED_ATTEMPTS || !Number.isInteger(Math.log2(failures))) continue
      this.log.error(
        { workspaceId, memoryId, failures },
        'Typesense refuses a memory; Postgres goes on to answer for it (bun run search verify shows the reason)',
      )
    }
  }
}

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
