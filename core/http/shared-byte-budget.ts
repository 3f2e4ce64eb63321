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

  readonly #max: number | ((usedBytes: number) => number)

  /** @param max in bytes; a function is asked at each reservation and told what is used */
  constructor(max: number | ((usedBytes: number) => number)) {
    this.#max = max
  }

  get maxBytes(): number {
    return typeof this.#max === 'number' ? this.#max : this.#max(this.#used)
  }

  /** @returns false when the holder has too much already, or would have */
  reserve(holder: string, bytes: number): boolean {
    return this.takeIfRoom(holder, bytes) || this.refuse()
  }

  /** Tells whether a holder has less than it may, and could begin what is not to be refused later. */
  admits(holder: string): boolean {
    return this.#hasRoom(this.#held.get(holder) ?? 0, 0) || this.refuse()
  }

  /** Counts bytes that are there in any case, beyond the bound as well. */
  take(holder: string, bytes: number): void {
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + bytes)
    this.#used += bytes
  }

  /** @returns false where there is no room, which does not count as a refusal yet */
  protected takeIfRoom(holder: string, bytes: number): boolean {
    const isTaken = this.#hasRoom((this.#held.get(holder) ?? 0) + bytes, bytes)
    if (isTaken) this.take(holder, bytes)
    return isTaken
  }

  protected refuse(): false {
    this.#refused++
    return false
  }

  #hasRoom(held: number, bytes: number): boolean {
    const { maxBytes } = this
    if (held <= LITTLE_BYTES) return this.#used + bytes <= maxBytes
    return held <= (maxBytes * (1 - KEPT_SHARE) - this.#used) / 2
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
