import { cpuUsage, memoryUsage } from 'node:process'
import { Gauge, type Registry } from 'prom-client'
import { fail } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Chore } from '../plugin.ts'
import { dropCaches, heldByName } from './holdings.ts'

/** A process is quiet when it used less than a tenth of a processor for this long. */
const QUIET_MS = 10_000

const QUIET_SHARE = 0.1

/**
 * After a trim the process compiles anew what it runs, and the first request takes two to five times as long. So only a process that has
 * worked for this much processor time since then is trimmed again, and only if it has grown at all.
 */
const WORK_MS = 20_000

const GROWTH = 1.02

/**
 * Trims the process when it has worked, has grown, and now has nothing to do. After hours of use a runtime holds compiled code that nobody
 * runs any more, and heap blocks with a few objects each. No collection of garbage frees either, and the memory of the
 * process would grow with each wave of requests.
 */
export class QuietTrim {
  readonly #options: QuietTrimOptions
  /** The least that the process had since the last trim. */
  #least = Number.POSITIVE_INFINITY
  /** The processor time that was used at the last trim. */
  #trimmedAt: number
  #windowFrom: number
  #usedBefore: number

  constructor(options: QuietTrimOptions) {
    this.#options = options
    this.#windowFrom = options.now()
    this.#usedBefore = options.processorMs()
    this.#trimmedAt = this.#usedBefore
  }

  /** Takes note of the bytes that the process has now, and trims it if it is time. Call it often. */
  look(bytes: number): void {
    this.#least = Math.min(this.#least, bytes)
    const { now, processorMs, trim } = this.#options
    const lasted = now() - this.#windowFrom
    if (lasted < QUIET_MS) return
    const used = processorMs()
    const isQuiet = used - this.#usedBefore < QUIET_SHARE * lasted
    this.#windowFrom = now()
    this.#usedBefore = used
    if (!isQuiet || used - this.#trimmedAt < WORK_MS || bytes <= GROWTH * this.#least) return
    trim()
    this.#trimmedAt = used
    this.#least = Number.POSITIVE_INFINITY
  }
}

/** Tells and frees the memory of the process. */
export interface ProcessMemory {
  /** Bytes that the process has; tests replace the system's figure. */
  readonly read?: () => number
  /**
   * Has the runtime collect garbage, where it does not by itself in time: what was made since the last time, or `all`, which holds up the
   * thread for some 60 ms.
   */
  readonly collect?: (all: boolean) => void
  /** Has the runtime give back what it keeps for later, such as compiled code. What runs next takes longer for a moment. */
  readonly trim?: () => void
  /** Has other threads collect all of their garbage, which the collector of this one does not. */
  readonly collectElsewhere?: () => void
  /** Milliseconds of processor time that the process has used; tests replace the system's figure. */
  readonly processorMs?: () => number
}

export interface MemoryWatchOptions extends ProcessMemory {
  /** In bytes, of the whole process. */
  readonly limit: number
  readonly log: Logger
  readonly registry: Registry
  /** In milliseconds; tests replace the process's clock. */
  readonly now?: () => number
}

/** Memory that has moved by less than this since the last look is left alone for longer. */
const STILL_BYTES = 1024 ** 2

/** New work is taken again below this share of the limit, so that it does not go on and off. */
const RELIEF = 0.95

/** While there is too little memory, so often one request of those that need much is let in all the same. */
const PROBE_MS = 5000

/** So often caches are emptied and all garbage is collected while there is too little. */
const DROP_MS = 10_000

const RETRY_SECONDS = 5

/**
 * Memory may grow by so much before young garbage is collected. Bodies of requests are a few objects with much memory, which the collector
 * of Bun hardly counts: it lets a process double first.
 */
const YOUNG_GROWTH_BYTES = 64 * 1024 ** 2

/**
 * All garbage is collected where memory has grown by so much since the last time, times the seconds since then: by 32 MB in ten seconds, or by 8 MB in
 * forty, of 640 MB. So quick growth waits a little, and none stays: a long batch makes 8 MB a second that outlives the young, of which Bun lets 200 MB
 * gather. A larger process takes longer to collect, and may grow by more.
 */
const GROWTH_SHARE_SECONDS = 0.5
/** However long ago the last time is, memory has to grow by this share. */
const GROWTH_SHARE_LEAST = 0.0125
/** And however short, it may not grow by more. */
const GROWTH_BYTES_MAX = 128 * 1024 ** 2

function processorMs(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

/**
 * Looks at the memory of the process, has garbage collected when it grows, and has it trimmed when there is nothing to do. Above the limit caches are emptied, too, and requests that need much are refused; those of one
 * resource, health and readiness are served on. A runtime may keep memory for a while that nobody uses any more, so one request in some
 * seconds goes through even then: the process never refuses for good.
 */
export class MemoryWatch {
  readonly #options: Required<MemoryWatchOptions>
  #isShort = false
  #admittedAt = 0
  #droppedAt = 0
  #refused = 0
  /** The least that the process had since young garbage was collected, and since all was. */
  #leastSinceYoung = Number.POSITIVE_INFINITY
  #leastSinceAll = Number.POSITIVE_INFINITY
  #collectedAllAt: number
  #lastBytes = 0
  readonly #quiet: QuietTrim

  readonly chore: Chore = {
    name: 'memory',
    everyMs: 100,
    idleMs: 1000,
    atStop: false,
    run: async () => (this.look() ? 'busy' : 'idle'),
  }

  constructor(options: MemoryWatchOptions) {
    this.#options = {
      read: () => memoryUsage.rss(),
      collect: () => undefined,
      trim: () => undefined,
      collectElsewhere: () => undefined,
      processorMs,
      now: () => performance.now(),
      ...options,
    }
    this.#collectedAllAt = this.#options.now()
    this.#quiet = new QuietTrim({ ...this.#options, trim: () => this.#trim() })
    this.#measure()
  }

  /** Tells whether there is too little memory as of the last look. */
  get isShort(): boolean {
    return this.#isShort
  }

  /** @returns whether the next look should follow soon, since memory is short or moves */
  look(): boolean {
    const bytes = this.#options.read()
    const moved = Math.abs(bytes - this.#lastBytes) > STILL_BYTES
    this.#lastBytes = bytes
    this.#lookAt(bytes)
    return moved || this.#isShort
  }

  #lookAt(bytes: number): void {
    const { limit, log, now } = this.#options
    this.#collect(bytes)
    this.#quiet.look(bytes)
    const wasShort = this.#isShort
    this.#isShort = bytes > limit * (wasShort ? RELIEF : 1)
    if (wasShort && !this.#isShort) log.info({ bytes, limit, refused: this.#refused }, 'memory is back under its limit')
    if (!this.#isShort) return
    if (!wasShort) {
      this.#refused = 0
      this.#admittedAt = now()
    }
    if (wasShort && now() - this.#droppedAt < DROP_MS) return
    this.#droppedAt = now()
    const dropped = dropCaches()
    // The memory may be garbage since the last collection, and with nothing let in it does not grow up to the next one.
    this.#collectAll()
    if (!wasShort)
      log.warn({ bytes, limit, dropped }, 'memory is over its limit: caches are emptied, heavy requests wait')
  }

  /** Growth is counted from what is left after a collection, so that what stays in use causes no more than one. */
  #collect(bytes: number): void {
    this.#leastSinceYoung = Math.min(this.#leastSinceYoung, bytes)
    this.#leastSinceAll = Math.min(this.#leastSinceAll, bytes)
    const grown = bytes - this.#leastSinceAll
    const now = this.#options.now()
    const share = Math.max(GROWTH_SHARE_LEAST, (GROWTH_SHARE_SECONDS * 1000) / (now - this.#collectedAllAt))
    const all = grown > Math.min(GROWTH_BYTES_MAX, share * this.#leastSinceAll)
    if (!all && bytes - this.#leastSinceYoung <= YOUNG_GROWTH_BYTES) return
    if (all) {
      this.#collectAll()
      return
    }
    this.#options.collect(false)
    this.#leastSinceYoung = Number.POSITIVE_INFINITY
  }

  #trim(): void {
    this.#options.trim()
    this.#options.collectElsewhere()
  }

  #collectAll(): void {
    this.#options.collect(true)
    this.#options.collectElsewhere()
    this.#leastSinceYoung = Number.POSITIVE_INFINITY
    this.#leastSinceAll = Number.POSITIVE_INFINITY
    this.#collectedAllAt = this.#options.now()
  }

  /** @throws SERVICE_UNAVAILABLE where a request of this class is not taken now; a light one always is */
  admit(kind: string): void {
    if (!this.#isShort || kind === 'light') return
    const now = this.#options.now()
    if (now - this.#admittedAt >= PROBE_MS) {
      this.#admittedAt = now
      return
    }
    this.#refused++
    throw fail('SERVICE_UNAVAILABLE', {
      message: 'The service has too little memory for this request now; retry shortly.',
      retryAfterSeconds: RETRY_SECONDS,
    })
  }

  #measure(): void {
    const { limit, registry } = this.#options
    const registers = [registry]
    new Gauge({
      name: 'mneme_cache_bytes',
      help: 'Estimated bytes that caches, buffers and queues of this process hold.',
      labelNames: ['cache'],
      registers,
      collect() {
        for (const [name, { bytes }] of heldByName()) this.labels(name).set(bytes)
      },
    })
    new Gauge({
      name: 'mneme_cache_limit_bytes',
      help: 'The most that they may hold.',
      labelNames: ['cache'],
      registers,
      collect() {
        for (const [name, { maxBytes }] of heldByName()) this.labels(name).set(maxBytes)
      },
    })
    new Gauge({
      name: 'mneme_memory_limit_bytes',
      help: 'Memory of this process above which caches are emptied and heavy requests refused.',
      registers,
    }).set(limit)
    const isShort = () => Number(this.#isShort)
    new Gauge({
      name: 'mneme_memory_short',
      help: '1 while memory is over its limit, else 0.',
      registers,
      collect() {
        this.set(isShort())
      },
    })
  }
}

interface QuietTrimOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Milliseconds of processor time that the process has used so far, on all its threads. */
  readonly processorMs: () => number
  /** Has the runtime give back what it keeps for later. */
  readonly trim: () => void
}
