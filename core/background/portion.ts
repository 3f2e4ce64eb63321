export interface PortionOptions {
  /** Never less goes into a transaction than this, in units of the caller's own, such as words. */
  readonly least: number
  /** Never more, and so much at first. */
  readonly most: number
  readonly targetMs?: number
  /** For tests. */
  readonly now?: () => number
}

/** Others wait about so long for a transaction that holds the whole database, as every one of the embedded one does. */
const TARGET_MS = 50

/**
 * Decides how much work goes into one transaction, so that each takes about the same short time on any database and machine: down to half
 * after one that took longer, up to twice as much after one that was quick. `least` bounds what a machine that others use can make of it,
 * since a transaction has a cost of its own.
 */
export class Portion {
  readonly #least: number
  readonly #most: number
  readonly #targetMs: number
  readonly #now: () => number
  #size: number

  constructor({ least, most, targetMs = TARGET_MS, now = () => performance.now() }: PortionOptions) {
    this.#least = least
    this.#most = most
    this.#targetMs = targetMs
    this.#now = now
    this.#size = most
  }

  get size(): number {
    return this.#size
  }

  /**
   * Does the work of a transaction that has begun, and learns from the time that it takes.
   *
   * @param amountOf tells how much was done
   */
  async timed<T>(work: () => Promise<T>, amountOf: (result: T) => number): Promise<T> {
    const startedAt = this.#now()
    const result = await work()
    this.#learn(amountOf(result), this.#now() - startedAt)
    return result
  }

  #learn(amount: number, tookMs: number): void {
    // The cost of a transaction itself would make the little that was left for the last one look expensive.
    if (amount < this.#size / 2 && tookMs < this.#targetMs) return
    const wanted = (amount * this.#targetMs) / Math.max(1, tookMs)
    const next = Math.min(this.#size * 2, Math.max(this.#size / 2, wanted))
    this.#size = Math.round(Math.min(this.#most, Math.max(this.#least, next)))
  }
}
