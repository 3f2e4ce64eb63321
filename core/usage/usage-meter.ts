import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Database, isRefused, type Tx } from '../db/database.ts'
import { urgently } from '../db/with-turns.ts'
import type { Quarantine } from '../quarantine/quarantine.ts'
import { SMALL_BYTES } from '../resources/bounded-cache.ts'
import { type Holding, held } from '../resources/holdings.ts'
import { type Counter, Counters } from './counters.ts'
import { type MonthUsage, readMonth } from './month-usage.ts'
import { recordUse } from './record-use.ts'
import type { UsageMeter } from './usage.ts'
import { type Batch, isWritten, writeCounters } from './write-counters.ts'

export interface BufferedUsageMeter extends UsageMeter {
  /**
   * Writes the counts since the last flush; one that cannot be written goes on counting for the quota. Rejects, and keeps them, while the
   * database is away. Each counts once, also where only the reply to a commit is lost.
   */
  flush(): Promise<void>
  /** Writes the remaining counts; waits for a flush under way. */
  stop(): Promise<void>
  /**
   * Reads the month's use: from the database at most 5 seconds ago, plus what this process has counted since. Counts of
   * other servers in the last seconds may be missing, so a quota can be overrun by about that much.
   */
  monthUsage(workspaceId: string): Promise<MonthUsage>
}

export interface UsageMeterOptions {
  readonly database: Database
  readonly quarantine: Quarantine
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** So many counters (workspace and operation) in memory start a flush out of turn. */
  readonly countersMax?: number
}

const READING_AGE_MS = 5000
/** From this age on a reading is renewed in the background, so that requests rarely wait for one. */
const READING_RENEW_MS = 3000
const READINGS_MAX = 10_000

/** During an outage counters wait; past this many times `countersMax` further ones are not taken, to bound the memory. */
const WAITING_FACTOR = 20

/** Counters that could not be written are tried again after this. */
const HELD_BACK_MS = 3_600_000

interface Reading {
  readonly used: Record<string, number>
  readonly readAt: number
  /** It was read while counters were being written, and may have them or not: it is dropped once they are written. */
  readonly isBesideWrite: boolean
  renewing: boolean
}

export function createUsageMeter(options: UsageMeterOptions): BufferedUsageMeter {
  return new Meter(options)
}

class Meter implements BufferedUsageMeter {
  readonly #database: Database
  readonly #quarantine: Quarantine
  readonly #now: () => number
  readonly #countersMax: number
  #waiting = new Counters()
  /** These counters are being written, and are until then still part of what was used. */
  #writing: Counters | undefined
  /** Their writes failed, and may have been committed. They are written again as they are, before anything else. */
  readonly #uncertain: Batch[] = []
  /** These are written for certain, so that the next write has them forgotten. */
  #settled: readonly string[] = []
  /** Grows when a write begins and when it ends. */
  #writes = 0
  /** These cannot be written, and would keep all others from being written in one statement. */
  #heldBack = new Counters()
  #heldBackAt = 0
  #flushing: Promise<void> | undefined
  readonly #readings = new LRUCache<string, Reading>({ max: READINGS_MAX })
  /** These are under way. */
  readonly #reads = new Map<string, Promise<Reading>>()
  readonly holding: Holding

  constructor({ database, quarantine, now = Date.now, countersMax = 5000 }: UsageMeterOptions) {
    this.#database = urgently(database)
    this.#quarantine = quarantine
    this.#now = now
    this.#countersMax = countersMax
    const counters = () =>
      [this.#waiting, ...this.#unsettled(), this.#heldBack].reduce((sum, { size }) => sum + size, 0)
    this.holding = held({
      name: 'usage.counts',
      maxBytes: (READINGS_MAX + WAITING_FACTOR * countersMax) * SMALL_BYTES,
      bytes: () => (this.#readings.size + counters()) * SMALL_BYTES,
    })
  }

  tokens(workspaceId: string, operation: string, input: number, output = 0): void {
    this.#count({ workspaceId, metric: 'tokens', operation, input, output })
  }

  async tokensIn(tx: Tx, workspaceId: string, operation: string, input: number, output = 0): Promise<void> {
    await recordUse(tx, workspaceId, { metric: 'tokens', operation, input, output })
    // It counts towards the quota at once, also while the transaction may still fail: the next reading knows.
    const used = this.#readings.get(workspaceId)?.used
    if (used) used.tokens = (used.tokens ?? 0) + input + output
  }

  request(workspaceId: string): void {
    this.#count({ workspaceId, metric: 'requests', operation: '', input: 1, output: 0 })
  }

  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  async stop(): Promise<void> {
    await this.#flushing?.catch(() => undefined)
    await this.flush()
  }

  async monthUsage(workspaceId: string): Promise<MonthUsage> {
    const reading = await this.#reading(workspaceId)
    const total = { ...reading.used }
    // Counts that are in the reading already would be refused by a quota that has room: rather they are missing for a moment.
    const unsettled = reading.isBesideWrite ? [] : this.#unsettled()
    for (const counters of [this.#waiting, ...unsettled, this.#heldBack]) counters.addTo(total, workspaceId)
    return total
  }

  #count(counter: Counter): void {
    if (this.#heldBack.has(counter)) {
      this.#heldBack.add(counter)
      return
    }
    const waiting = this.#uncertain.reduce((sum, { counters }) => sum + counters.size, this.#waiting.size)
    if (waiting >= this.#countersMax * WAITING_FACTOR && !this.#waiting.has(counter)) return
    this.#waiting.add(counter)
    // The next flush in turn meets the failure again and reports it.
    if (this.#waiting.size >= this.#countersMax && !this.#flushing) void this.flush().catch(() => undefined)
  }

  async #flush(): Promise<void> {
    if (this.#now() - this.#heldBackAt > HELD_BACK_MS) {
      for (const counter of this.#heldBack.all()) this.#waiting.add(counter)
      this.#heldBack = new Counters()
    }
    for (let batch = this.#uncertain.shift(); batch; batch = this.#uncertain.shift()) await this.#settle(batch, true)
    if (this.#waiting.size === 0) return
    const batch = batchOf(this.#waiting)
    this.#waiting = new Counters()
    await this.#settle(batch, false)
  }

  /** Writes what of a batch can be written, and holds back the rest; where it throws, all of it is kept but what is written. */
  async #settle(batch: Batch, mayBeWritten: boolean): Promise<void> {
    const { counters } = batch
    this.#writing = counters
    this.#writes++
    const written = new Counters()
    const uncertain: Batch[] = []
    try {
      await this.#writeAll(batch, mayBeWritten, written, uncertain)
      for (const counter of counters.all()) if (!written.has(counter)) this.#heldBack.add(counter)
    } catch (error) {
      this.#uncertain.push(...uncertain)
      const kept = [written, ...uncertain.map(batch => batch.counters)]
      for (const counter of counters.all()) if (!kept.some(some => some.has(counter))) this.#waiting.add(counter)
      throw error
    } finally {
      this.#writing = undefined
      this.#writes++
      for (const [workspaceId, { used, isBesideWrite }] of [...this.#readings.entries()]) {
        if (isBesideWrite) this.#readings.delete(workspaceId)
        else written.addTo(used, workspaceId)
      }
    }
  }

  /**
   * Writes counters in one statement or, where one of them keeps it from that, all others. Adds what is done to `written`, and to `uncertain`
   * what may be done.
   */
  async #writeAll(batch: Batch, mayBeWritten: boolean, written: Counters, uncertain: Batch[]): Promise<void> {
    const settle = ({ id, counters }: Batch) => {
      this.#settled = [id]
      for (const counter of counters.all()) written.add(counter)
    }
    const write = async (some: Batch) => {
      try {
        await writeCounters(this.#database, some, this.#settled)
      } catch (error) {
        if (!isRefused(error)) uncertain.push(some)
        throw error
      }
      settle(some)
    }
    try {
      return await write(batch)
    } catch (error) {
      if (uncertain.length > 0) throw error
    }
    if (mayBeWritten && (await this.#isWritten(batch, uncertain))) return settle(batch)
    const abort = new AbortController()
    // Those that are to blame are found, or the sweep meets the same failure and throws it.
    const { heldBack } = await this.#quarantine.sweep({
      name: 'core:usage',
      items: [...batch.counters.all()],
      workspaceOf: counter => counter.workspaceId,
      idOf: counter => `${counter.metric} ${counter.operation}`,
      signal: abort.signal,
      work: (_, own) =>
        write(batchOf(own)).catch((error: unknown) => {
          if (uncertain.length > 0) abort.abort(error)
          throw error
        }),
    })
    if (heldBack > 0) this.#heldBackAt = this.#now()
  }

  /** Where it cannot be told, the batch stays as it is: under another id it could count twice. */
  async #isWritten(batch: Batch, uncertain: Batch[]): Promise<boolean> {
    try {
      return await isWritten(this.#database, batch)
    } catch (error) {
      uncertain.push(batch)
      throw error
    }
  }

  /** These are part of what was used, and may be written already. */
  #unsettled(): Counters[] {
    return [...(this.#writing ? [this.#writing] : []), ...this.#uncertain.map(({ counters }) => counters)]
  }

  async #reading(workspaceId: string): Promise<Reading> {
    const known = this.#readings.get(workspaceId)
    const ageMs = known && sameMonth(known.readAt, this.#now()) ? this.#now() - known.readAt : Number.POSITIVE_INFINITY
    if (!known || ageMs > READING_AGE_MS) return this.#read(workspaceId)
    if (ageMs > READING_RENEW_MS && !known.renewing) {
      known.renewing = true
      const renewed = () => {
        known.renewing = false
      }
      // One that was not kept, as a write ended beside it, is to be tried again.
      void this.#read(workspaceId).then(renewed, renewed)
    }
    return known
  }

  /** Whoever asks while a workspace is being read gets that reading. */
  #read(workspaceId: string): Promise<Reading> {
    const known = this.#reads.get(workspaceId)
    if (known) return known
    const reading = this.#readNow(workspaceId).finally(() => this.#reads.delete(workspaceId))
    this.#reads.set(workspaceId, reading)
    return reading
  }

  async #readNow(workspaceId: string): Promise<Reading> {
    const readAt = this.#now()
    const [wasWriting, writes] = [this.#unsettled().length > 0, this.#writes]
    const used = await this.#database.workspace(workspaceId, tx => readMonth(tx, workspaceId))
    const isBesideWrite = wasWriting || this.#writes !== writes
    const reading = { used, readAt, isBesideWrite, renewing: false }
    // Once the write has ended, nobody drops it any more.
    if (!isBesideWrite || this.#unsettled().length > 0) this.#readings.set(workspaceId, reading)
    return reading
  }
}

function batchOf(counters: Counters | readonly Counter[]): Batch {
  return { id: randomUUID(), counters: counters instanceof Counters ? counters : Counters.of(counters) }
}

function sameMonth(one: number, other: number): boolean {
  return new Date(one).toISOString().slice(0, 7) === new Date(other).toISOString().slice(0, 7)
}
