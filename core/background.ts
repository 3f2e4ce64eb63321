/** Where work goes that nobody waits for: between the requests of this process. */
export interface Background {
  /**
   * Does a piece of work when it is its turn: some ten milliseconds of computing, or one transaction. At once while no request is under
   * way. While there are requests, pieces are done one after the other, each after a rest of three times as long as
   * the last one took, so that they have a quarter of the time and are never starved.
   *
   * Not for what waits for others (a language model), and never within a transaction or another piece, whose end it would put off.
   */
  run<T>(piece: () => Promise<T>): Promise<T>
}

export interface PrecedenceOptions {
  /** How many times as long as a piece took the next one waits, while there are requests; 3. */
  readonly restShare?: number
  /** The longest rest; half a second. */
  readonly restMaxMs?: number
  /** A piece that takes longer, perhaps because it waits for a lock, no longer keeps the others waiting; a second. */
  readonly pieceMaxMs?: number
}

/** As long without any request counts as quiet: a client that asks again at once is not through. */
const QUIET_MS = 5

/** Lets the requests of a process go before what is done in its background. */
export class Precedence implements Background {
  readonly #restShare: number
  readonly #restMaxMs: number
  readonly #pieceMaxMs: number
  readonly #waiting: (() => void)[] = []
  #requests = 0
  #answeredAt = Number.NEGATIVE_INFINITY
  #pieces = 0
  #begunAt = Number.NEGATIVE_INFINITY
  #restsUntil = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor({ restShare = 3, restMaxMs = 500, pieceMaxMs = 1_000 }: PrecedenceOptions = {}) {
    this.#restShare = restShare
    this.#restMaxMs = restMaxMs
    this.#pieceMaxMs = pieceMaxMs
  }

  /** A request is under way until its answer settles. */
  async request<T>(answer: Promise<T>): Promise<T> {
    this.#requests++
    try {
      return await answer
    } finally {
      this.#requests--
      this.#answeredAt = performance.now()
      this.#admit()
    }
  }

  async run<T>(piece: () => Promise<T>): Promise<T> {
    await this.#turn()
    const begunAt = performance.now()
    try {
      return await piece()
    } finally {
      this.#pieces--
      const now = performance.now()
      this.#restsUntil = now + Math.min(this.#restMaxMs, (now - begunAt) * this.#restShare)
      this.#admit()
    }
  }

  #turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    this.#admit()
    return promise
  }

  /** Lets go whose turn it is, and comes back when it may be the next one's. */
  #admit(): void {
    clearTimeout(this.#timer)
    const now = performance.now()
    const quietAt = this.#requests > 0 ? Number.POSITIVE_INFINITY : this.#answeredAt + QUIET_MS
    while (this.#waiting.length > 0) {
      const turnAt = this.#pieces > 0 ? this.#begunAt + this.#pieceMaxMs : this.#restsUntil
      const nextAt = Math.min(quietAt, turnAt)
      if (nextAt > now) {
        this.#timer = setTimeout(() => this.#admit(), nextAt - now)
        return
      }
      this.#pieces++
      this.#begunAt = now
      this.#waiting.shift()?.()
    }
  }
}
