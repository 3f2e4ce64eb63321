/** Runs work that nobody waits for, between the requests of this process. */
export interface Background {
  /**
   * Runs a piece of work when it is its turn: some ten milliseconds of computing, or one transaction. It runs at once
   * while no request is under way. During requests, pieces run one after the other, each after a rest of three times as
   * long as the last one took, so that they have a quarter of the time and never starve. Do not use it for work that
   * waits for others (a language model), nor within a transaction or another piece, whose end it would put off.
   */
  run<T>(piece: () => Promise<T>): Promise<T>
}

export interface PrecedenceOptions {
  /** During requests the next piece waits so many times as long as the last one took; 3. */
  readonly restShare?: number
  /** Rests are at most so long; half a second. */
  readonly restMaxMs?: number
  /** A piece that takes longer, perhaps because it waits for a lock, no longer keeps the others waiting; a second. */
  readonly pieceMaxMs?: number
  /** A request goes before background work for at most so long, since its handler may never settle; 30 seconds. */
  readonly requestMaxMs?: number
}

/** So long without any request counts as quiet: a client that sends its next request at once has not finished. */
const QUIET_MS = 5

/** Lets the requests of a process go before its background work. */
export class Precedence implements Background {
  readonly #restShare: number
  readonly #restMaxMs: number
  readonly #pieceMaxMs: number
  readonly #requestMaxMs: number
  readonly #waiting: (() => void)[] = []
  /** In the order in which they began. */
  readonly #requests = new Set<{ readonly begunAt: number }>()
  #answeredAt = Number.NEGATIVE_INFINITY
  #pieces = 0
  #begunAt = Number.NEGATIVE_INFINITY
  #restsUntil = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: PrecedenceOptions = {}) {
    const { restShare = 3, restMaxMs = 500, pieceMaxMs = 1_000, requestMaxMs = 30_000 } = options
    this.#restShare = restShare
    this.#restMaxMs = restMaxMs
    this.#pieceMaxMs = pieceMaxMs
    this.#requestMaxMs = requestMaxMs
  }

  /** A request is under way until its response settles. */
  async request<T>(answer: Promise<T>): Promise<T> {
    const entry = { begunAt: performance.now() }
    this.#requests.add(entry)
    try {
      return await answer
    } finally {
      this.#requests.delete(entry)
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

  #hasRequests(now: number): boolean {
    for (const entry of this.#requests) {
      if (now - entry.begunAt < this.#requestMaxMs) return true
      this.#requests.delete(entry)
    }
    return false
  }

  /** Admits the next piece in turn, and comes back when another may be due. */
  #admit(): void {
    clearTimeout(this.#timer)
    const now = performance.now()
    const quietAt = this.#hasRequests(now) ? Number.POSITIVE_INFINITY : this.#answeredAt + QUIET_MS
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
