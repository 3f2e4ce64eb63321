import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type Holding, held } from '../resources/holdings.ts'

/** The share of a budget that is kept for holders of little, and how many bytes are little. */
const KEPT_SHARE = 1 / 8
const LITTLE_BYTES = 1024 ** 2

/**
 * Shares bytes out between holders nobody trusts. A holder may have half of what is free at the most, so one alone gets less than a third and
 * each further one a third of the rest: the dynamic thresholds of Choudhury and Hahne, "Dynamic queue length thresholds for
 * shared-memory packet switches" (1998), with α = 1/2. Whoever holds little gets into the last eighth as well, when a dozen have taken the rest.
 */
export class SharedByteBudget {
  readonly #held = new Map<string, number>()
  #used = 0
  #refused = 0

  constructor(readonly maxBytes: number) {}

  /** @returns false when the holder has too much already, or would have */
  reserve(holder: string, bytes: number): boolean {
    const held = (this.#held.get(holder) ?? 0) + bytes
    if (!this.#hasRoom(held, bytes)) {
      this.#refused++
      return false
    }
    this.#held.set(holder, held)
    this.#used += bytes
    return true
  }

  #hasRoom(held: number, bytes: number): boolean {
    if (held <= LITTLE_BYTES) return this.#used + bytes <= this.maxBytes
    return held <= (this.maxBytes * (1 - KEPT_SHARE) - this.#used) / 2
  }

  release(holder: string, bytes: number): void {
    const held = (this.#held.get(holder) ?? 0) - bytes
    if (held > 0) this.#held.set(holder, held)
    else this.#held.delete(holder)
    this.#used -= bytes
  }

  get used(): number {
    return this.#used
  }

  /** Counts how often it had no room for a holder. */
  get refused(): number {
    return this.#refused
  }
}

const DISK_BYTES_MAX = 16 * 1024 ** 3

/** Half of what is free for temporary files, which in a container may be a part of its memory. */
function diskBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(tmpdir())
    return Math.min(DISK_BYTES_MAX, Math.floor((bavail * bsize) / 2))
  } catch {
    // Not every file system tells.
    return DISK_BYTES_MAX
  }
}

/**
 * Tracks bodies under way, up or down: a stop cuts short those that outlast its grace time, and their memory and disk
 * are bounded.
 */
export class Transfers {
  readonly #running = new Set<() => void>()
  #stopping = false
  /** Request bodies that are held whole, by the address they come from, or the caller's workspace once it is known. */
  readonly memory = new SharedByteBudget(192 * 1024 ** 2)
  readonly holding: Holding = held({
    name: 'http.bodies',
    maxBytes: this.memory.maxBytes,
    bytes: () => this.memory.used,
  })
  /** Uploaded files, which lie on disk until their request ends, by the caller's workspace. */
  readonly disk = new SharedByteBudget(diskBytes())

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
