import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Clock } from '../clock.ts'
import { ByteBudget } from '../fair/byte-budget.ts'
import { type Holding, held } from '../resources/holdings.ts'
import { MB } from './sizes.ts'

/** Names expire as soon as their bytes do; beyond this many the oldest go first. */
const HOLDERS_MAX = 10_000

/** Shorter waits cost more than they keep. */
const LEAST_WAIT_MS = 2

/**
 * Bounds how many bytes of a holder go through in a time: the generic cell rate algorithm (ITU-T I.371, annex A), with bytes for cells.
 */
export class ByteRate {
  readonly #bytesPerMs: number
  readonly #burstMs: number
  /** When all that went through would have done so at the rate, by holder; the longest unchanged first. */
  readonly #dueAt = new Map<string, number>()

  constructor({ bytesPerSecond, burstBytes }: ByteRateOptions) {
    this.#bytesPerMs = bytesPerSecond / 1000
    this.#burstMs = burstBytes / this.#bytesPerMs
  }

  get holders(): number {
    return this.#dueAt.size
  }

  /** Counts bytes of a holder. @returns how long they have to wait, in milliseconds */
  take(holder: string, bytes: number, now: number): number {
    const earliest = now - this.#burstMs
    const dueAt = Math.max(this.#dueAt.get(holder) ?? earliest, earliest) + bytes / this.#bytesPerMs
    this.#dueAt.delete(holder)
    this.#dueAt.set(holder, dueAt)
    this.#forget(earliest)
    const waitMs = dueAt - now
    return waitMs < LEAST_WAIT_MS ? 0 : waitMs
  }

  /** Counts bytes of a holder, and waits as long as they have to. */
  async pass(holder: string, bytes: number, clock: Clock): Promise<void> {
    const waitMs = this.take(holder, bytes, clock.now())
    if (waitMs === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    clock.after(waitMs, resolve)
    await promise
  }

  #forget(earliest: number): void {
    for (const [holder, dueAt] of this.#dueAt) {
      if (dueAt > earliest && this.#dueAt.size <= HOLDERS_MAX) return
      this.#dueAt.delete(holder)
    }
  }
}

const DISK_BYTES_MAX = 16 * 1024 ** 3

/**
 * Making a large response leaves several times its size behind, which has to be collected before memory is free again. Whoever reads them
 * over a network needs as long.
 */
const RESPONSE_RATE = { bytesPerSecond: 8 * MB, burstBytes: 16 * MB }

/** Where temporary files lie. */
export interface TemporaryFiles {
  readonly freeBytes: number
  /** They are a part of the memory, as in most containers. */
  readonly inMemory: boolean
}

/** The type of a tmpfs, by statfs(2). */
const TMPFS = 0x01021994

/** @returns undefined where the file system does not tell */
function temporaryFiles(): TemporaryFiles | undefined {
  try {
    const { bavail, bsize, type } = statfsSync(tmpdir())
    return { freeBytes: bavail * bsize, inMemory: type === TMPFS }
  } catch {
    return undefined
  }
}

/**
 * Tracks bodies under way, up or down: a stop cuts short those that outlast its grace time, and their memory and disk
 * are bounded.
 */
export class Transfers {
  readonly #running = new Set<() => void>()
  #stopping = false
  /** Request bodies and parts of forms that are held, by the address they come from, or the caller's workspace once it is known. */
  readonly memory = new ByteBudget(192 * 1024 ** 2)
  /** The runtime takes in so much of refused bodies while they are read away, by the same names. */
  readonly dropped = new ByteBudget(32 * 1024 ** 2)
  /**
   * Refused bodies are read away at this rate, all together: sixteen clients of one machine that send as fast as they can keep its thread busy
   * otherwise.
   */
  readonly dropRate = new ByteRate({ bytesPerSecond: 32 * MB, burstBytes: 16 * MB })
  /** Large responses that their clients have not taken yet, by the same names. */
  readonly responses = new ByteBudget(192 * 1024 ** 2)
  readonly holdings: readonly Holding[] = [
    held({ name: 'http.bodies', maxBytes: this.memory.maxBytes, bytes: () => this.memory.used }),
    held({ name: 'http.refused_bodies', maxBytes: this.dropped.maxBytes, bytes: () => this.dropped.used }),
    held({ name: 'http.responses', maxBytes: this.responses.maxBytes, bytes: () => this.responses.used }),
  ]
  /**
   * Uploaded files, which lie on disk until their request ends, by the caller's workspace: half of what is free now, and of what they
   * have, since others fill the disk and clear it.
   */
  readonly disk: ByteBudget
  readonly #temporary: () => TemporaryFiles | undefined

  /** @param responseRate how fast large responses of one name are made */
  constructor(
    temporary: () => TemporaryFiles | undefined = temporaryFiles,
    readonly responseRate = new ByteRate(RESPONSE_RATE),
  ) {
    this.#temporary = temporary
    this.disk = new ByteBudget(usedBytes => {
      const { freeBytes = Number.POSITIVE_INFINITY } = temporary() ?? {}
      return Math.min(DISK_BYTES_MAX, Math.floor((freeBytes + usedBytes) / 2))
    })
  }

  /** Bytes of uploaded files that are memory of the system, and not of the process. */
  get filesInMemory(): number {
    return this.disk.used > 0 && this.#temporary()?.inMemory ? this.disk.used : 0
  }

  /**
   * @param cut ends the transfer early; called at once when a stop has come that far.
   * @returns a function to call at its end
   */
  begin(cut: () => void): () => void {
    if (this.#stopping) cut()
    this.#running.add(cut)
    return () => void this.#running.delete(cut)
  }

  /** Ends all of them, and from now on every further one. */
  cutAll(): void {
    this.#stopping = true
    for (const cut of [...this.#running]) cut()
  }

  get count(): number {
    return this.#running.size
  }
}

interface ByteRateOptions {
  readonly bytesPerSecond: number
  /** So many bytes never wait, if few came before them. */
  readonly burstBytes: number
}
