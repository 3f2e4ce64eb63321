import { Counter, Gauge, type Registry } from 'prom-client'

/** The share of a budget that is kept for keys that hold little, and how many bytes are little. */
const KEPT_SHARE = 1 / 8
const LITTLE_BYTES = 1024 ** 2

/**
 * Shares bytes out between keys that nobody trusts. A key may have half of what is free at the most, so one alone gets less than a third and
 * each further one a third of the rest: the dynamic thresholds of Choudhury and Hahne, "Dynamic queue length thresholds for
 * shared-memory packet switches" (1998), with α = 1/2. Whoever holds little gets into the last eighth as well, when a dozen have taken the rest.
 */
export class ByteBudget {
  readonly #held = new Map<string, number>()
  readonly #max: number | ((usedBytes: number) => number)
  #used = 0
  #refused = 0

  /** @param max in bytes; a function is asked at each reservation and told what is used */
  constructor(max: number | ((usedBytes: number) => number)) {
    this.#max = max
  }

  get maxBytes(): number {
    return typeof this.#max === 'number' ? this.#max : this.#max(this.#used)
  }

  get used(): number {
    return this.#used
  }

  /** Counts how often it had no room for a key. */
  get refused(): number {
    return this.#refused
  }

  /** @returns false when the key has too much already, or would have */
  reserve(key: string, bytes: number): boolean {
    if (!this.#hasRoom((this.#held.get(key) ?? 0) + bytes, bytes)) return this.#refuse()
    this.take(key, bytes)
    return true
  }

  /** Tells whether a key has less than it may, and could begin what is not to be refused later. */
  admits(key: string): boolean {
    return this.#hasRoom(this.#held.get(key) ?? 0, 0) || this.#refuse()
  }

  /** Counts bytes that are there in any case, beyond the bound as well. */
  take(key: string, bytes: number): void {
    this.#held.set(key, (this.#held.get(key) ?? 0) + bytes)
    this.#used += bytes
  }

  release(key: string, bytes: number): void {
    const held = (this.#held.get(key) ?? 0) - bytes
    if (held > 0) this.#held.set(key, held)
    else this.#held.delete(key)
    this.#used -= bytes
  }

  #refuse(): false {
    this.#refused++
    return false
  }

  #hasRoom(held: number, bytes: number): boolean {
    const { maxBytes } = this
    if (held <= LITTLE_BYTES) return this.#used + bytes <= maxBytes
    return held <= (maxBytes * (1 - KEPT_SHARE) - this.#used) / 2
  }
}

/** Shows how much of a budget is used, and how often it had no room. */
export function measureBudget(
  registry: Registry,
  name: string,
  budget: ByteBudget,
  help: { readonly used: string; readonly limit: string; readonly refused: string },
): void {
  const registers = [registry]
  const gauge = (suffix: string, text: string, value: () => number) =>
    new Gauge({
      name: `${name}_${suffix}`,
      help: text,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge('bytes', help.used, () => budget.used)
  gauge('bytes_limit', help.limit, () => budget.maxBytes)
  new Counter({
    name: `${name}_refused_total`,
    help: help.refused,
    registers,
    collect() {
      this.reset()
      this.inc(budget.refused)
    },
  })
}
