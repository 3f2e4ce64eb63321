import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Database, Tx } from '../db/database.ts'
import { urgently } from '../db/with-turns.ts'
import { SMALL_BYTES } from '../resources/bounded-cache.ts'
import { type Holding, held } from '../resources/holdings.ts'
import { storableText } from '../storable-text.ts'
import { type Counter, Counters } from './counters.ts'
import { type MonthUsage, readMonth, recordUse, type UsageMeter } from './usage.ts'
import { type Batch, writeCounters } from './write-counters.ts'

export interface BufferedUsageMeter extends UsageMeter {
  /**
   * Writes the counts since the last flush. Rejects, and keeps them, while the database is away. Each counts once, also where only the reply
   * to a commit is lost: it is written again under the same id.
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

/** One count is at most so much, and a whole number: one that cannot be stored would keep all others from it. */
const AMOUNT_MAX = 1_000_000_000_000
const OPERATION_CHARS_MAX = 100

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
  readonly #now: () => number
  readonly #countersMax: number
  #waiting = new Counters()
  /** These are written, or will be, in their order and as they are, and are until then still part of what was used. */
  readonly #unsettled: Batch[] = []
  /** These are written for certain, so that the next write has them forgotten. */
  #settled: readonly string[] = []
  /** Grows with each write that begins or ends. */
  #writes = 0
  #flushing: Promise<void> | undefined
  readonly #readings = new LRUCache<string, Reading>({ max: READINGS_MAX })
  /** These are under way. */
  readonly #reads = new Map<string, Promise<Reading>>()
  readonly holding: Holding

  constructor({ database, now = Date.now, countersMax = 5000 }: UsageMeterOptions) {
    this.#database = urgently(database)
    this.#now = now
    this.#countersMax = countersMax
    this.holding = held({
      name: 'usage.counts',
      maxBytes: (READINGS_MAX + WAITING_FACTOR * countersMax) * SMALL_BYTES,
      bytes: () => (this.#readings.size + this.#counted) * SMALL_BYTES,
    })
  }

  tokens(workspaceId: string, operation: string, input: number, output = 0): void {
    this.#count({
      workspaceId,
      metric: 'tokens',
      operation: storableText(operation, OPERATION_CHARS_MAX),
      input,
      output,
    })
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
    this.#waiting.addTo(total, workspaceId)
    // Counts that are in the reading already would be refused by a quota that has room: rather they are missing for a moment.
    if (!reading.isBesideWrite) for (const { counters } of this.#unsettled) counters.addTo(total, workspaceId)
    return total
  }

  get #counted(): number {
    return this.#unsettled.reduce((sum, { counters }) => sum + counters.size, this.#waiting.size)
  }

  #count({ input, output, ...named }: Counter): void {
    const counter = { ...named, input: amountOf(input), output: amountOf(output) }
    if (this.#counted >= this.#countersMax * WAITING_FACTOR && !this.#waiting.has(counter)) return
    this.#waiting.add(counter)
    // The next flush in turn meets the failure again and reports it.
    if (this.#waiting.size >= this.#countersMax && !this.#flushing) void this.flush().catch(() => undefined)
  }

  async #flush(): Promise<void> {
    if (this.#waiting.size > 0) {
      this.#unsettled.push({ id: randomUUID(), counters: this.#waiting })
      this.#waiting = new Counters()
    }
    for (let batch = this.#unsettled[0]; batch; batch = this.#unsettled[0]) {
      this.#writes++
      try {
        await writeCounters(this.#database, batch, this.#settled)
      } finally {
        this.#writes++
      }
      this.#settle(batch)
    }
  }

  #settle({ id, counters }: Batch): void {
    this.#unsettled.shift()
    this.#settled = [id]
    for (const [workspaceId, { used, isBesideWrite }] of [...this.#readings.entries()]) {
      if (isBesideWrite) this.#readings.delete(workspaceId)
      else counters.addTo(used, workspaceId)
    }
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
    const [wasWriting, writes] = [this.#unsettled.length > 0, this.#writes]
    const used = await this.#database.workspace(workspaceId, tx => readMonth(tx, workspaceId))
    const isBesideWrite = wasWriting || this.#writes !== writes
    const reading = { used, readAt, isBesideWrite, renewing: false }
    // Once the write has ended, nobody drops it any more.
    if (!isBesideWrite || this.#unsettled.length > 0) this.#readings.set(workspaceId, reading)
    return reading
  }
}

function amountOf(given: number): number {
  return Math.min(AMOUNT_MAX, Math.max(0, Math.round(given) || 0))
}

function sameMonth(one: number, other: number): boolean {
  return new Date(one).toISOString().slice(0, 7) === new Date(other).toISOString().slice(0, 7)
}
