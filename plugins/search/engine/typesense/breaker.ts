/** The pause doubles between these bounds while an outage lasts. */
const FIRST_MS = 500
const LONGEST_MS = 15_000

/** A circuit breaker: after a failure the server is called again only when a growing pause is over, and then by a single caller. */
export class Breaker {
  #pauseMs = 0
  #openUntil = 0

  constructor(private readonly now: () => number = () => performance.now()) {}

  get open(): boolean {
    return this.#pauseMs > 0
  }

  /** Tells whether to call the server. During an outage true reserves the attempt: other callers wait for its outcome. */
  attempt(): boolean {
    if (!this.open) return true
    if (this.now() < this.#openUntil) return false
    this.#openUntil = this.now() + this.#pauseMs
    return true
  }

  /** @returns whether this ended an outage */
  succeeded(): boolean {
    const wasOpen = this.open
    this.#pauseMs = 0
    return wasOpen
  }

  /** @returns whether this began an outage */
  failed(): boolean {
    const wasOpen = this.open
    this.#pauseMs = wasOpen ? Math.min(LONGEST_MS, this.#pauseMs * 2) : FIRST_MS
    this.#openUntil = this.now() + this.#pauseMs
    return !wasOpen
  }
}
