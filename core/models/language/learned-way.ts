import type { Outcome, Question } from './endpoint.ts'
import { fit } from './fit.ts'

/**
 * Finds out which way of asking a model takes. Models and servers differ in it and refuse the rest, so the first requests
 * try one way after another, and all later ones go the way that worked. A server may also ignore what holds its model to the
 * schema without refusing it: after a completion of another form the other means is tried once before the first one is kept.
 */
export class LearnedWay {
  readonly #ways: number
  readonly #otherMeans: number
  #way = 0
  #proven = false
  /** The way that was taken and gave a completion of another form. */
  #doubted: number | undefined

  /** @param otherMeans the way that holds a model to the schema by other means than those before it, if there is one */
  constructor(ways: number, otherMeans = 0) {
    this.#ways = ways
    this.#otherMeans = otherMeans
  }

  /** Some way worked. */
  get proven(): boolean {
    return this.#proven
  }

  async send(question: Question, request: (way: number) => Promise<Outcome>): Promise<Outcome> {
    if (this.#proven) return request(this.#way)
    return this.#doubted === undefined ? this.#find(question, request) : this.#compare(this.#doubted, question, request)
  }

  /** Nothing goes the known way any more, so that the next request tries one after another again. */
  forget(): void {
    this.#proven = false
    this.#doubted = undefined
  }

  async #find({ schema }: Question, request: (way: number) => Promise<Outcome>): Promise<Outcome> {
    let outcome = await request(0)
    for (let way = 0; way < this.#ways; way++) {
      if (way > 0) outcome = await request(way)
      if (isRefused(outcome)) {
        if (this.#proven) return outcome
        continue
      }
      if (way < this.#otherMeans && isOfOtherForm(schema, outcome)) this.#doubted ??= way
      else if (outcome.kind !== 'transient' && outcome.kind !== 'misconfigured') this.#prove(way)
      return outcome
    }
    return outcome
  }

  /** The doubted way is kept unless the other means gives what was asked for. */
  async #compare(doubted: number, { schema }: Question, request: (way: number) => Promise<Outcome>): Promise<Outcome> {
    const outcome = await request(this.#otherMeans)
    if (outcome.kind === 'misconfigured' || (outcome.kind === 'transient' && !outcome.mayBeWay)) return outcome
    if (isRefused(outcome)) {
      this.#prove(doubted)
      return request(this.#way)
    }
    this.#prove(isAsAsked(schema, outcome) ? this.#otherMeans : doubted)
    return outcome
  }

  #prove(way: number): void {
    if (!this.#proven) this.#way = way
    this.#proven = true
  }
}

function isRefused(outcome: Outcome): boolean {
  return outcome.kind === 'rejected' || (outcome.kind === 'transient' && outcome.mayBeWay === true)
}

function isAsAsked(schema: Question['schema'], outcome: Outcome): boolean {
  return outcome.kind === 'completion' && 'value' in fit(schema, outcome.value)
}

/** A completion that was cut off or declined says nothing about the form. */
function isOfOtherForm(schema: Question['schema'], outcome: Outcome): boolean {
  if (outcome.kind === 'useless') return outcome.reason === 'malformed'
  return outcome.kind === 'completion' && !isAsAsked(schema, outcome)
}
