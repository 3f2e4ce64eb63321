import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type Holding, held } from '../resources/holdings.ts'
import { ByteRate } from './byte-rate.ts'
import { ResponseBudget } from './response-budget.ts'
import { SharedByteBudget } from './shared-byte-budget.ts'
import { MB } from './sizes.ts'

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
  readonly memory = new SharedByteBudget(192 * 1024 ** 2)
  /** The runtime takes in so much of refused bodies while they are read away, by the same names. */
  readonly dropped = new SharedByteBudget(32 * 1024 ** 2)
  /**
   * Refused bodies are read away at this rate, all together: sixteen clients of one machine that send as fast as they can keep its thread busy
   * otherwise.
   */
  readonly dropRate = new ByteRate({ bytesPerSecond: 32 * MB, burstBytes: 16 * MB })
  /** Large responses that their clients have not taken yet, by the same names. */
  readonly responses = new ResponseBudget(192 * 1024 ** 2, 96 * 1024 ** 2)
  readonly holdings: readonly Holding[] = [
    held({ name: 'http.bodies', maxBytes: this.memory.maxBytes, bytes: () => this.memory.used }),
    held({ name: 'http.refused_bodies', maxBytes: this.dropped.maxBytes, bytes: () => this.dropped.used }),
    held({ name: 'http.responses', maxBytes: this.responses.maxBytes, bytes: () => this.responses.used }),
    held({
      name: 'http.waiting_responses',
      maxBytes: this.responses.waiting.maxBytes,
      bytes: () => this.responses.waiting.used,
    }),
  ]
  /**
   * Uploaded files, which lie on disk until their request ends, by the caller's workspace: half of what is free now, and of what they
   * have, since others fill the disk and clear it.
   */
  readonly disk: SharedByteBudget
  readonly #temporary: () => TemporaryFiles | undefined

  /** @param responseRate how fast large responses of one name are made */
  constructor(
    temporary: () => TemporaryFiles | undefined = temporaryFiles,
    readonly responseRate = new ByteRate(RESPONSE_RATE),
  ) {
    this.#temporary = temporary
    this.disk = new SharedByteBudget(usedBytes => {
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
