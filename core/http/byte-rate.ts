import type { Clock } from './clock.ts'

/** Names expire as soon as their bytes do; beyond this many the oldest go first. */
const HOLDERS_MAX = 10_000

/** Shorter waits cost more than they keep. */
const LEAST_WAIT_MS = 2

export interface ByteRateOptions {
  readonly bytesPerSecond: number
  /** So many bytes never wait, if few came before them. */
  readonly burstBytes: number
}

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
