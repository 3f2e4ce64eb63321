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

  /** A call failed and none succeeded since, whether one may be made again or not. */
  get isOpen(): boolean {
    return this.#openUntil > 0
  }

  /** Milliseconds until a call may be made; 0 when it may be made now. */
  waitMs(): number {
    return Math.max(0, this.#openUntil - this.#now())
  }

  /** Announces a call. While it is a probe, others wait another pause at the most, even if the probe never ends. */
  enter(): void {
    if (this.isOpen) this.#open(this.#pauseMs)
  }

  /** @returns true when the model had been away */
  succeeded(): boolean {
    const wasAway = this.isOpen
    this.#failures = 0
    this.#pauseMs = PAUSE_MS
    this.#openUntil = 0
    return wasAway
  }

  /**
   * @param retryAfterMs what the provider asks for, which opens the circuit at once, or undefined
   * @param isAway tells that nobody is there at all, so this failure alone begins a pause
   * @returns the pause in milliseconds when this failure began one
   */
  failed(retryAfterMs?: number, isAway = false): number | undefined {
    this.#failures += 1
    if (retryAfterMs !== undefined) return this.#open(Math.min(Math.max(retryAfterMs, 1), PAUSE_MAX_MS))
    if (this.#failures < FAILURES_MAX && !isAway && !this.isOpen) return undefined
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
