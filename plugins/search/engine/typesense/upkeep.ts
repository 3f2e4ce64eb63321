import type { Database, Logger } from 'mneme/plugin'
import { Breaker } from './breaker.ts'
import { eraseWorkspaces } from './erasure.ts'
import { Away, Refused } from './failures.ts'
import {
  beginBuilding,
  completeBuilding,
  forgetCollection,
  holdState,
  type IndexState,
  queueNext,
} from './index-state.ts'
import { claim, forgetConfirmed, type QueueSize, queueSize } from './queue.ts'
import { isCollectionOf } from './schema.ts'
import { CollectionMissing, Sender } from './sender.ts'
import type { SearchServer } from './server.ts'

export interface UpkeepParts {
  readonly database: Database
  readonly server: SearchServer
  readonly log: Logger
  /** Name of the alias, and the beginning of the names of collections. */
  readonly index: string
  /** How long followers of a cluster may lag behind their leader. */
  readonly graceMs: number
}

/** Memories sent at once. */
const CLAIM_MAX = 200
/** Rounds of one run, so that a stop never waits long. */
const ROUNDS_MAX = 25
/** Memories queued ahead for a collection that is being filled. */
const FILL_MAX = 2000
/** How often the collection is looked for: someone may have emptied the server. */
const CHECK_MS = 30_000

const LOCK_NOT_AVAILABLE = '55P03'

/** Keeps the index in step with Postgres. Any number of processes may do so at once, and any of them may die at any point. */
export class Upkeep {
  readonly #breaker = new Breaker()
  readonly #sender: Sender
  /** Collections that were made or seen by this process. */
  readonly #seen = new Set<string>()
  #state: IndexState | undefined
  #size: QueueSize = { waiting: 0, filling: 0, failing: 0 }
  #checkedAt = Number.NEGATIVE_INFINITY
  #stopped = false

  constructor(private readonly parts: UpkeepParts) {
    this.#sender = new Sender(parts.database, parts.server, parts.log, parts.graceMs)
  }

  /** Whether there is a collection to search. */
  get serving(): boolean {
    return this.#state?.live !== undefined
  }

  /** Whether a collection is being filled. */
  get building(): boolean {
    return this.#state?.building !== undefined
  }

  /** Whether writes do not reach Typesense at the moment. */
  get away(): boolean {
    return this.#breaker.open
  }

  get size(): QueueSize {
    return this.#size
  }

  /** Sends what waits and goes on with what is being filled. A chore: it returns soon and comes again. */
  async run(): Promise<void> {
    if (!this.#breaker.attempt()) return
    try {
      const { ahead } = await this.#readState()
      if (ahead) return
      await this.#prepare()
      if (this.#size.waiting + this.#size.filling > 0) await this.#sendWaiting()
      if (this.parts.graceMs > 0) await this.#forgetConfirmed()
      await this.#erase()
      if (this.building) await this.#advance()
      if (this.#breaker.succeeded()) this.parts.log.info('Typesense is back')
    } catch (error) {
      await this.#fail(error)
    }
  }

  /** Begins to fill a new collection, or goes on with the one that is being filled. */
  async begin(): Promise<void> {
    await this.parts.database.system(tx => beginBuilding(tx, this.parts.index))
    await this.#readState()
  }

  /** A search found no collection: look at once. */
  distrust(): void {
    this.#seen.clear()
    this.#checkedAt = Number.NEGATIVE_INFINITY
  }

  /** Runs end at the next round. */
  stop(): void {
    this.#stopped = true
  }

  async #fail(error: unknown): Promise<void> {
    if (error instanceof CollectionMissing) {
      this.parts.log.warn({ collection: error.collection }, 'a collection is gone from Typesense; it is filled anew')
      await this.#forget(error.collection)
    } else if (error instanceof Away || error instanceof Refused) {
      // Whatever is missing is looked for and made again.
      if (error instanceof Refused && error.status === 404) this.distrust()
      if (this.#breaker.failed()) this.parts.log.warn({ err: error }, 'writes to Typesense wait until it takes them')
    } else throw error
  }

  async #prepare(): Promise<void> {
    const { server, index, log } = this.parts
    if (performance.now() - this.#checkedAt > CHECK_MS) {
      await this.#check()
      this.#checkedAt = performance.now()
    }
    if (this.#state?.forsaken) log.warn('a server or worker without TYPESENSE_URL wrote; the index is filled anew')
    if (!this.serving && !this.building) await this.begin()
    const building = this.#state?.building
    if (building !== undefined && !this.#seen.has(building)) {
      await server.createCollection(building)
      this.#seen.add(building)
      this.parts.log.info({ collection: building }, `a new collection of ${index} is being filled`)
    }
  }

  /** Looks whether Typesense has the collection still, and whether the alias leads there. */
  async #check(): Promise<void> {
    const { server, index } = this.parts
    const { live, building } = this.#state ?? {}
    if (live === undefined) return
    if ((await server.fields(live)) === undefined) throw new CollectionMissing(live)
    // While another is being filled the alias may just have been led there.
    if (building === undefined && (await server.aliased(index)) !== live) await server.pointAlias(index, live)
  }

  async #readState(): Promise<IndexState> {
    const { database, index } = this.parts
    const [state, size] = await database.system(async tx => [await holdState(tx, index), await queueSize(tx)] as const)
    this.#state = state
    this.#size = size
    return state
  }

  async #forget(collection: string): Promise<void> {
    this.#seen.delete(collection)
    this.#sender.forget(collection)
    await this.parts.database.system(tx => forgetCollection(tx, this.parts.index, collection))
    await this.#readState()
  }

  async #sendWaiting(): Promise<void> {
    const { database, index } = this.parts
    for (let round = 0; round < ROUNDS_MAX && !this.#stopped; round++) {
      // In one transaction with the claim, so that no collection is begun in between and missed.
      const { state, claims } = await database.system(async tx => {
        const state = await holdState(tx, index)
        return { state, claims: state.live || state.building ? await claim(tx, CLAIM_MAX) : [] }
      })
      if (claims.length > 0) await this.#sender.send(state, claims)
      if (claims.length < CLAIM_MAX) break
    }
  }

  async #forgetConfirmed(): Promise<void> {
    const { database, graceMs } = this.parts
    await database.system(tx => forgetConfirmed(tx, graceMs))
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
      // A write had one of the rows locked; they come with the next run.
      if (!(error instanceof Error && Reflect.get(error, 'code') === LOCK_NOT_AVAILABLE)) throw error
    }
  }

  /** What is still to be sent then is known to be, so searches ask Postgres about it. */
  async #complete(building: string): Promise<void> {
    const { database, server, index, log } = this.parts
    await server.pointAlias(index, building)
    await database.system(tx => completeBuilding(tx, index, building))
    log.info({ collection: building }, 'searches use the new collection')
    // Listed first: whatever is begun after that is not in the list.
    const collections = await server.collections()
    const { live, building: next } = await this.#readState()
    for (const name of collections.filter(name => isCollectionOf(index, name))) {
      if (name !== live && name !== next) await server.dropCollection(name)
    }
  }
}
