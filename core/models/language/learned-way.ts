import type { Outcome } from './endpoint.ts'

/**
 * Finds out which way of asking a model takes. Models and servers differ in it and refuse the rest, so the first requests
 * try one way after another, and all later ones go the way that worked.
 */
export class LearnedWay {
  readonly #ways: number
  #way = 0
  #proven = false

  constructor(ways: number) {
    this.#ways = ways
  }

  /** Some way worked. */
  get proven(): boolean {
    return this.#proven
  }

  async send(request: (way: number) => Promise<Outcome>): Promise<Outcome> {
    if (this.#proven) return request(this.#way)
    let outcome = await request(0)
    for (let way = 0; way < this.#ways; way++) {
      if (way > 0) outcome = await request(way)
      if (outcome.kind === 'completion' || outcome.kind === 'useless') this.#prove(way)
      const isRefused = outcome.kind === 'rejected' || (outcome.kind === 'transient' && outcome.mayBeWay === true)
      if (!isRefused || this.#proven) return outcome
    }
    return outcome
  }

  /** Nothing goes the known way any more, so that the next request tries one after another again. */
  forget(): void {
    this.#proven = false
  }

  #prove(way: number): void {
    if (!this.#proven) this.#way = way
    this.#proven = true
  }
}
