import { setTimeout as pause } from 'node:timers/promises'
import {
  beginBuilding,
  completeBuilding,
  createOwn,
  dropCollectionRecord,
  eraseWorkspaces,
  type IndexParts,
  type IndexState,
  lockState,
  queueNext,
  refuseForeign,
} from './index-state.ts'
import { Markers } from './marker-writer.ts'
import { CollectionMissing, Misconfigured, Rejected, typesenseCircuit, Unavailable } from './messages.ts'
import { EMPTY_QUEUE, openSendQueue, type QueueSize, queueSize, Sender } from './outbox.ts'
import { isCollectionOf, vectorsOf } from './schema.ts'
import type { RecallCheck } from './searches.ts'

type UpkeepParts = IndexParts & { readonly recall: RecallCheck }

/** Tells an operator why the index is not used. */
export const FORSAKEN =
  'A server or worker without TYPESENSE_URL writes memories, which the index lacks, so Postgres serves searches. ' +
  'Give all of them the same TYPESENSE_URL: the index is rebuilt half a minute after the last one without it has ended.'

/** One send carries this many memories. */
const CLAIM_MAX = 200
/** One run makes this many rounds, so that a stop never waits long. */
const ROUNDS_MAX = 25
/** This many memories are queued ahead for a collection that is being filled. */
const FILL_MAX = 2000
/** The collections are checked at this interval, because someone may have emptied the server. */
const CHECK_MS = 30_000

const LOCK_NOT_AVAILABLE = '55P03'

/** Keeps the index consistent with Postgres. Any number of processes may run it concurrently, and each may die at any point. */
export class Upkeep {
  /** One sentence about what an operator has to change; undefined while nothing is wrong. */
  problem: string | undefined
  /** The message of the error that keeps writes from Typesense; undefined while they reach it. */
  failure: string | undefined
  size: QueueSize = EMPTY_QUEUE
  readonly #circuit = typesenseCircuit()
  readonly #queue = openSendQueue()
  readonly #sender: Sender
  readonly #markers: Markers
  /** Collections that this process created or found. */
  readonly #seen = new Set<string>()
  #state: IndexState | undefined
  #checkedAt = Number.NEGATIVE_INFINITY
  #checkedTargets = ''
  #stopped = false
  #toldForsaken = false

  constructor(private readonly parts: UpkeepParts) {
    this.#markers = new Markers(parts)
    this.#sender = new Sender(parts.database, this.#queue, parts.server, parts.log, this.#markers)
  }

  /** Tells whether there is a collection to search. */
  get serving(): boolean {
    return this.#state?.live !== undefined && this.problem === undefined
  }

  /** Tells whether a collection is being filled. */
  get building(): boolean {
    return this.#state?.building !== undefined
  }

  /** Tells whether a process without TYPESENSE_URL wrote memories, and a rebuild has not begun since. */
  get forsaken(): boolean {
    return this.#state?.forsaken === true
  }

  /** Tells whether writes currently fail to reach Typesense. */
  get away(): boolean {
    return this.#circuit.isOpen
  }

  /** Sends pending memories and continues filling. It is a chore: it returns soon and is called again. */
  async run(): Promise<void> {
    // Metrics count the queue during an outage too.
    const { ahead } = await this.readState()
    if (ahead || !this.#circuit.attempt()) return
    try {
      await this.#prepare()
      if (this.size.rows > 0) await this.#sendWaiting()
      await this.#erase()
      if (this.building) await this.#advance()
      await this.parts.recall.run(this.parts.server)
      this.problem = undefined
      this.failure = undefined
      if (this.#circuit.succeeded()) this.parts.log.info('Typesense is back')
    } catch (error) {
      await this.#fail(error)
    }
  }

  /** Starts filling a new collection, or resumes the current one. It may have to be called again, see {@link IndexParts.quietMs}. */
  async begin(): Promise<void> {
    const { database, index, quietMs } = this.parts
    await database.system(tx => beginBuilding(tx, index, quietMs))
    await this.readState()
  }

  /** A search found no collection, or a node without everything, so the next run checks at once. */
  checkSoon(): void {
    this.#seen.clear()
    this.#checkedAt = Number.NEGATIVE_INFINITY
  }

  /** Makes runs end at the next round. */
  stop(): void {
    this.#stopped = true
  }

  async #fail(error: unknown): Promise<void> {
    const { log } = this.parts
    if (error instanceof CollectionMissing) {
      log.warn({ collection: error.collection }, `${error.message}; it is refilled`)
      await this.#forget(error.collection)
      return
    }
    const expected = error instanceof Misconfigured || error instanceof Unavailable || error instanceof Rejected
    if (!expected) throw error
    // Anything may have changed during an outage.
    this.checkSoon()
    this.failure = error.message
    const isNews = !this.away
    this.#circuit.failed()
    if (error instanceof Misconfigured) {
      if (this.problem !== error.message) log.error(error.message)
      this.problem = error.message
    } else {
      this.problem = undefined
      if (isNews) log.warn({ err: error }, 'writes to Typesense are queued until it is back')
    }
  }

  async #prepare(): Promise<void> {
    const { index, log } = this.parts
    const { live, building, forsaken, known = [] } = this.#state ?? {}
    if (performance.now() - this.#checkedAt > CHECK_MS || this.#checkedTargets !== `${live}`) {
      await refuseForeign(this.parts, known)
      if (live !== undefined) await this.#check(live)
      this.#checkedAt = performance.now()
      this.#checkedTargets = `${live}`
    }
    if (forsaken && !this.#toldForsaken) log.warn(FORSAKEN)
    this.#toldForsaken = forsaken === true
    if (live === undefined && building === undefined) await this.begin()
    const filled = this.#state?.building
    if (filled !== undefined && !this.#seen.has(filled)) {
      await createOwn(this.parts, filled)
      this.#seen.add(filled)
      log.info({ collection: filled }, `a new collection of ${index} is being filled`)
    }
  }

  /**
   * Writes a marker, which only the leader answers and which proves that the collections exist. Searches then pass over nodes that came back
   * from an outage until these have it.
   */
  async #check(live: string): Promise<void> {
    const { database, server, recall } = this.parts
    const { building } = this.#state ?? {}
    const marker = await database.system(tx => this.#markers.next(tx))
    await this.#markers.writeLive(live, marker)
    if (building !== undefined && this.#seen.has(building)) await this.#markers.write(building, marker.seq)
    await database.system(tx => this.#markers.require(tx, marker.seq))
    await this.#markers.tidy(live, marker)
    recall.documents = (await server.describe(vectorsOf(live)))?.documents ?? recall.documents
    // While another collection is being filled, the aliases may have just been switched.
    if (building === undefined) await this.#pointAliases(live, true)
  }

  async #pointAliases(collection: string, onlyIfElsewhere = false): Promise<void> {
    const { server, index } = this.parts
    for (const [alias, name] of [
      [index, collection],
      [vectorsOf(index), vectorsOf(collection)],
    ] as const) {
      if (!onlyIfElsewhere || (await server.aliased(alias)) !== name) await server.pointAlias(alias, name)
    }
  }

  /** Reads what other processes have left or changed. */
  async readState(): Promise<IndexState> {
    const { database, index } = this.parts
    const [state, size] = await database.system(async tx => [await lockState(tx, index), await queueSize(tx)] as const)
    this.#state = state
    this.size = size
    return state
  }

  async #forget(collection: string): Promise<void> {
    this.#seen.delete(collection)
    this.#sender.forget(collection)
    await this.parts.database.system(tx => dropCollectionRecord(tx, this.parts.index, collection))
    await this.readState()
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
    const collections = [live, building].flatMap(name => (name === undefined ? [] : [name, vectorsOf(name)]))
    if (collections.length > 0) await eraseWorkspaces(this.parts.database, this.parts.server, collections)
  }

  async #advance(): Promise<void> {
    const { building, allQueued } = await this.readState()
    if (building === undefined) return
    if (!allQueued) {
      if (this.size.filling < FILL_MAX) await this.#queueNext()
    } else if (this.size.filling === 0) await this.#complete(building)
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
    const { database, index, log } = this.parts
    const { seq } = await database.system(tx => this.#markers.next(tx))
    await this.#markers.write(building, seq)
    await this.#pointAliases(building)
    const former = this.#state?.known ?? []
    await database.system(async tx => {
      await completeBuilding(tx, index, building)
      await this.#markers.require(tx, seq)
    })
    log.info({ collection: building }, 'searches use the new collection')
    await this.#dropOthers(former)
  }

  /** Drops our collections that are not in use; those of other databases stay. */
  async #dropOthers(former: readonly string[]): Promise<void> {
    const { server, index, owner } = this.parts
    // Collections are listed first, so that one started later is not in the list.
    const collections = await server.collections()
    const { live, building } = await this.readState()
    const used = new Set([live, building].flatMap(name => (name === undefined ? [] : [name, vectorsOf(name)])))
    for (const { name, database } of collections.filter(({ name }) => isCollectionOf(index, name))) {
      if (!used.has(name) && (database === owner || former.includes(name))) await server.dropCollection(name)
    }
  }
}

/** A rebuild gives up after this time without progress; its work is kept, and the next one resumes there. */
const STUCK_MS = 120_000
/** While Typesense is away it gives up sooner: long enough for a restart, and short for whoever waits at a shell. */
const AWAY_MS = 30_000
const PAUSE_MS = 200

export interface Progress {
  print(line: string): void
  readonly signal: AbortSignal
  /** In place of {@link AWAY_MS}, for tests. */
  readonly awayMs?: number
}

/**
 * Fills a new collection from Postgres and switches to it, while searches use the old one. Running servers help; an interrupted rebuild
 * resumes where it stopped.
 *
 * @returns whether it completed
 */
export async function rebuild(upkeep: Upkeep, { print, signal, awayMs = AWAY_MS }: Progress): Promise<boolean> {
  await upkeep.run()
  if (upkeep.problem === undefined) await upkeep.begin()
  else print(upkeep.problem)
  if (upkeep.problem !== undefined) return false
  let movedAt = performance.now()
  let told = ''
  while (upkeep.building || !upkeep.serving) {
    if (signal.aborted) {
      print('Interrupted. Servers or the next rebuild resume it.')
      return false
    }
    await upkeep.run()
    if (upkeep.problem !== undefined) {
      print(upkeep.problem)
      return false
    }
    const line = progressOf(upkeep)
    if (line !== told) {
      movedAt = performance.now()
      print(line)
    }
    told = line
    if (performance.now() - movedAt > (upkeep.away ? awayMs : STUCK_MS)) {
      print(stuck(upkeep))
      return false
    }
    // Other processes may have claimed the rest, or Typesense may be unavailable.
    if (!upkeep.serving || (upkeep.building && (upkeep.away || upkeep.size.filling > 0))) await pause(PAUSE_MS)
  }
  return true
}

function progressOf({ building, serving, size: { filling, waiting, failing } }: Upkeep): string {
  if (!building && !serving)
    return 'Waiting for half a minute, in case a process without TYPESENSE_URL writes memories.'
  return `${filling + waiting} to send at the moment${failing > 0 ? `, ${failing} refused` : ''}`
}

function stuck({ failure, forsaken }: Upkeep): string {
  if (failure === undefined && forsaken) return FORSAKEN
  if (failure === undefined) return 'No progress any more.'
  return `Typesense does not accept writes: ${failure}. Servers or the next rebuild resume it when it is back.`
}

/** Sends pending memories until none is left or nothing progresses. */
export async function sendAll(upkeep: Upkeep, { signal }: Pick<Progress, 'signal'>): Promise<void> {
  const until = performance.now() + STUCK_MS
  do {
    await upkeep.run()
    if (upkeep.size.waiting > 0) await pause(PAUSE_MS)
  } while (upkeep.size.waiting > upkeep.size.failing && !signal.aborted && performance.now() < until)
}
