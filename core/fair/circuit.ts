export interface CircuitOptions {
  /** It opens after so many failed calls in a row; 3. */
  readonly failuresMax?: number
  /** The first pause, which doubles up to the longest; 15 seconds and 5 minutes. */
  readonly pauseMs?: number
  readonly pauseMaxMs?: number
  /** Milliseconds that only grow. */
  readonly now?: () => number
}

/**
 * Keeps calls from something that is away, so that it costs nothing for a while. After a pause one call is let through as a
 * probe; each that fails doubles the pause (Nygard, "Release It!", 2007: circuit breaker).
 */
export class Circuit {
  readonly #options: Required<CircuitOptions>
  #failures = 0
  #pauseMs: number
  /** 0 while calls go through. */
  #openUntil = 0

  constructor(options: CircuitOptions = {}) {
    this.#options = { failuresMax: 3, pauseMs: 15_000, pauseMaxMs: 300_000, now: () => performance.now(), ...options }
    this.#pauseMs = this.#options.pauseMs
  }

  /** A call failed and none succeeded since, whether one may be made again or not. */
  get isOpen(): boolean {
    return this.#openUntil > 0
  }

  /** Milliseconds until a call may be made; 0 when it may be made now. */
  waitMs(): number {
    return Math.max(0, this.#openUntil - this.#options.now())
  }

  /** Tells whether to make a call now, and announces it if so. */
  attempt(): boolean {
    if (this.waitMs() > 0) return false
    this.enter()
    return true
  }

  /** Announces a call. While it is a probe, others wait another pause at the most, even if the probe never ends. */
  enter(): void {
    if (this.isOpen) this.#open(this.#pauseMs)
  }

  /** @returns true when it had been away */
  succeeded(): boolean {
    const wasAway = this.isOpen
    this.#failures = 0
    this.#pauseMs = this.#options.pauseMs
    this.#openUntil = 0
    return wasAway
  }

  /**
   * @param retryAfterMs what the called asks for, which opens the circuit at once, or undefined
   * @param isAway tells that nobody is there at all, so this failure alone begins a pause
   * @returns the pause in milliseconds when this failure began one
   */
  failed(retryAfterMs?: number, isAway = false): number | undefined {
    this.#failures += 1
    if (retryAfterMs !== undefined) return this.#open(Math.min(Math.max(retryAfterMs, 1), this.#options.pauseMaxMs))
    if (this.#failures < this.#options.failuresMax && !isAway && !this.isOpen) return undefined
    const pauseMs = this.#pauseMs
    this.#pauseMs = Math.min(2 * pauseMs, this.#options.pauseMaxMs)
    return this.#open(pauseMs)
  }

  /** An operator has to mend something, so the pause is the longest there is. */
  broke(): number {
    return this.#open(this.#options.pauseMaxMs)
  }

  #open(pauseMs: number): number {
    this.#openUntil = this.#options.now() + pauseMs
    return pauseMs
  }
}
