/** The model counts as away after so many failed calls in a row. */
const FAILURES_MAX = 3
const PAUSE_MS = 15_000
const PAUSE_MAX_MS = 300_000

export interface CircuitOptions {
  /** Milliseconds that only grow. */
  readonly now?: () => number
}

/**
 * Keeps calls from a model that is away, so that it costs nothing for a while. After a pause one call is let through as a
 * probe; each that fails doubles the pause (Nygard, "Release It!", 2007: circuit breaker).
 */
export class Circuit {
  readonly #now: () => number
  #failures = 0
  #pauseMs = PAUSE_MS
  /** 0 while calls go through. */
  #openUntil = 0

  constructor({ now = () => performance.now() }: CircuitOptions = {}) {
    this.#now = now
  }

  /** Milliseconds until a call may be made; 0 when it may be made now. */
  waitMs(): number {
    return Math.max(0, this.#openUntil - this.#now())
  }

  /** Announces a call. While it is a probe, others wait another pause at the most, even if the probe never ends. */
  enter(): void {
    if (this.#openUntil > 0) this.#open(this.#pauseMs)
  }

  /** @returns true when the model had been away */
  succeeded(): boolean {
    const wasAway = this.#openUntil > 0
    this.#failures = 0
    this.#pauseMs = PAUSE_MS
    this.#openUntil = 0
    return wasAway
  }

  /**
   * @param retryAfterMs what the provider asks for, which opens the circuit at once, or undefined
   * @returns the pause in milliseconds when this failure began one
   */
  failed(retryAfterMs?: number): number | undefined {
    this.#failures += 1
    if (retryAfterMs !== undefined) return this.#open(Math.min(Math.max(retryAfterMs, 1), PAUSE_MAX_MS))
    if (this.#failures < FAILURES_MAX && this.#openUntil === 0) return undefined
    const pauseMs = this.#pauseMs
    this.#pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)
    return this.#open(pauseMs)
  }

  /** An operator has to mend something, so the pause is the longest there is. */
  broke(): number {
    return this.#open(PAUSE_MAX_MS)
  }

  #open(pauseMs: number): number {
    this.#openUntil = this.#now() + pauseMs
    return pauseMs
  }
}
