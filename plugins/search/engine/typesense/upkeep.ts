import type { Database, Logger } from 'mneme/plugin'
import { Breaker } from './breaker.ts'
import { eraseWorkspaces } from './erasure.ts'
import { Rejected, Unavailable } from './failures.ts'
import {
  beginBuilding,
  completeBuilding,
  dropCollectionRecord,
  type IndexState,
  lockState,
  queueNext,
} from './index-state.ts'
import { EMPTY_QUEUE, openSendQueue, type QueueSize, queueSize } from './queue.ts'
import { isCollectionOf } from './schema.ts'
import { CollectionMissing, Sender } from './sender.ts'
import type { SearchServer } from './server.ts'

export interface UpkeepParts {
  readonly database: Database
  readonly server: SearchServer
  readonly log: Logger
  /** The alias, with which the names of collections begin. */
  readonly index: string
  /** The time that followers of a cluster may lag behind their leader. */
  readonly graceMs: number
}

/** One send carries this many memories. */
const CLAIM_MAX = 200
/** One run makes this many rounds, so that a stop never waits long. */
const ROUNDS_MAX = 25
/** This many memories are queued ahead for a collection that is being filled. */
const FILL_MAX = 2000
/** The collection is checked at this interval, because someone may have emptied the server. */
const CHECK_MS = 30_000

const LOCK_NOT_AVAILABLE = '55P03'

/** Keeps the index consistent with Postgres. Any number of processes may run it concurrently, and each may die at any point. */
export class Upkeep {
  readonly #breaker = new Breaker()
  readonly #queue = openSendQueue()
  readonly #sender: Sender
  /** Collections that this process created or found. */
  readonly #seen = new Set<string>()
  #state: IndexState | undefined
  #size: QueueSize = EMPTY_QUEUE
  #checkedAt = Number.NEGATIVE_INFINITY
  #stopped = false

  constructor(private readonly parts: UpkeepParts) {
    this.#sender = new Sender(parts.database, this.#queue, parts.server, parts.log, parts.graceMs)
  }

  /** Tells whether there is a collection to search. */
  get serving(): boolean {
    return this.#state?.live !== undefined
  }

  /** Tells whether a collection is being filled. */
  get building(): boolean {
    return this.#state?.building !== undefined
  }

  /** Tells whether writes currently fail to reach Typesense. */
  get away(): boolean {
    return this.#breaker.open
  }

  get size(): QueueSize {
    return this.#size
  }

  /** Sends pending memories and continues filling. It is a chore: it returns soon and is called again. */
  async run(): Promise<void> {
    // Metrics count the queue during an outage too.
    const { ahead } = await this.#readState()
    if (ahead || !this.#breaker.attempt()) return
    try {
      await this.#prepare()
      if (this.#size.rows > 0) await this.#sendWaiting()
      await this.#erase()
      if (this.building) await this.#advance()
      if (this.#breaker.succeeded()) this.parts.log.info('Typesense is back')
    } catch (error) {
      await this.#fail(error)
    }
  }

  /** Starts filling a new collection, or resumes the current one. */
  async begin(): Promise<void> {
    await this.parts.database.system(tx => beginBuilding(tx, this.parts.index))
    await this.#readState()
  }

  /** A search found no collection, so the next run checks at once. */
  checkSoon(): void {
    this.#seen.clear()
    this.#checkedAt = Number.NEGATIVE_INFINITY
  }

  /** Makes runs end at the next round. */
  stop(): void {
    this.#stopped = true
  }

  async #fail(error: unknown): Promise<void> {
    if (error instanceof CollectionMissing) {
      this.parts.log.warn({ collection: error.collection }, 'a collection is missing from Typesense; it is refilled')
      await this.#forget(error.collection)
    } else if (error instanceof Unavailable || error instanceof Rejected) {
      // A missing collection is looked for and created again.
      if (error instanceof Rejected && error.status === 404) this.checkSoon()
      if (this.#breaker.failed()) this.parts.log.warn({ err: error }, 'writes to Typesense are queued until it is back')
    } else throw error
  }

  async #prepare(): Promise<void> {
    const { server, index, log } = this.parts
    if (performance.now() - this.#checkedAt > CHECK_MS) {
      await this.#check()
      this.#checkedAt = performance.now()
    }
    if (this.#state?.forsaken) log.warn('a process without TYPESENSE_URL wrote memories; the index is rebuilt')
    if (!this.serving && !this.building) await this.begin()
    const building = this.#state?.building
    if (building !== undefined && !this.#seen.has(building)) {
      await server.createCollection(building)
      this.#seen.add(building)
      this.parts.log.info({ collection: building }, `a new collection of ${index} is being filled`)
    }
  }

  /** Checks that Typesense still has the collection and that the alias points to it. */
  async #check(): Promise<void> {
    const { server, index } = this.parts
    const { live, building } = this.#state ?? {}
    if (live === undefined) return
    if ((await server.fields(live)) === undefined) throw new CollectionMissing(live)
    // While another collection is being filled, the alias may have just been switched.
    if (building === undefined && (await server.aliased(index)) !== live) await server.pointAlias(index, live)
  }

  async #readState(): Promise<IndexState> {
    const { database, index } = this.parts
    const [state, size] = await database.system(async tx => [await lockState(tx, index), await queueSize(tx)] as const)
    this.#state = state
    this.#size = size
    return state
  }

  async #forget(collection: string): Promise<void> {
    this.#seen.delete(collection)
    this.#sender.forget(collection)
    await this.parts.database.system(tx => dropCollectionRecord(tx, this.parts.index, collection))
    await this.#readState()
  }

  async #sendWaiting(): Promise<void> {
    const { database, index } = this.parts
    for (let round = 0; round < ROUNDS_MAX && !this.#stopped; round++) {
      // The claim shares the transaction with the state, so that no collection can start in between and miss it.
      const { state, claims } = await database.system(async tx => {
        const state = await lockState(tx, index)
        return { state, claims: state.live || state.building ? await this.#queue.claim(tx, CLAIM_MAX) : [] }
      })
      // Fewer than asked for may be claimed where one workspace has more than its share.
      if (claims.length === 0) break
      await this.#sender.send(state, claims)
    }
  }

  async #erase(): Promise<void> {
    const { live, building } = this.#state ?? {}
    const collections = [live, building].filter(name => name !== undefined)
    if (collections.length > 0) await eraseWorkspaces(this.parts.database, this.parts.server, collections)
  }

  async #advance(): Promise<void> {
    const { building, allQueued } = await this.#readState()
    if (building === undefined) return
    if (!allQueued) {
      if (this.#size.filling < FILL_MAX) await this.#queueNext()
    } else if (this.#size.filling === 0) await this.#complete(building)
  }

  async #queueNext(): Promise<void> {
    const { database, index } = this.parts
    try {
      await database.system(tx => queueNext(tx, index, FILL_MAX))
    } catch (error) {
      // A write has locked one of the rows; the next run completes them.
      if (!(error instanceof Error && Reflect.get(error, 'code') === LOCK_NOT_AVAILABLE)) throw error
    }
  }

  /** Pending memories are known, so searches check them in Postgres and the switch need not wait for them. */
  async #complete(building: string): Promise<void> {
    const { database, server, index, log } = this.parts
    await server.pointAlias(index, building)
    await database.system(tx => completeBuilding(tx, index, building))
    log.info({ collection: building }, 'searches use the new collection')
    // Collections are listed first, so that one started later is not in the list.
    const collections = await server.collections()
    const { live, building: next } = await this.#readState()
    for (const name of collections.filter(name => isCollectionOf(index, name))) {
      if (name !== live && name !== next) await server.dropCollection(name)
    }
  }
}
