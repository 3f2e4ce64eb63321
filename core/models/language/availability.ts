import { Circuit, type CircuitOptions } from '../../fair/circuit.ts'
import type { Logger } from '../../log.ts'
import { LanguageModelUnavailableError, type LanguagePriority, type Outage } from './language-model.ts'

type Log = Pick<Logger, 'info' | 'warn' | 'error'>

/** A call that failed although its input was not at fault. */
export interface Failure {
  readonly message: string
  readonly retryAfterMs?: number | undefined
  /** No connection could be made, so the next calls would fail as well. */
  readonly isAway?: boolean | undefined
}

/**
 * Tracks whether a model is available, by a circuit for each priority: a model that is too slow for those who wait may
 * well serve the background. What the provider says of itself holds for both.
 */
export class Availability {
  readonly #name: string
  readonly #log: Log
  readonly #circuits: Readonly<Record<LanguagePriority, Circuit>>
  #latest: Outage | undefined

  constructor(name: string, log: Log, options?: CircuitOptions) {
    this.#name = name
    this.#log = log
    this.#circuits = { interactive: new Circuit(options), background: new Circuit(options) }
  }

  /** The latest failure, while calls of some priority count as hopeless; undefined while all go through. */
  get outage(): Outage | undefined {
    return this.#circuits.interactive.isOpen || this.#circuits.background.isOpen ? this.#latest : undefined
  }

  waitMs(priority: LanguagePriority): number {
    return this.#circuits[priority].waitMs()
  }

  /** @throws LanguageModelUnavailableError while the model counts as away */
  enter(priority: LanguagePriority): void {
    this.check(priority)
    this.#circuits[priority].enter()
  }

  /** @throws LanguageModelUnavailableError while the model counts as away */
  check(priority: LanguagePriority): void {
    const retryAfterMs = this.#circuits[priority].waitMs()
    if (retryAfterMs > 0) throw new LanguageModelUnavailableError(`${this.#name} is away`, { retryAfterMs })
  }

  succeeded(priority: LanguagePriority): void {
    if (this.#circuits[priority].succeeded()) this.#log.info(`${this.#name} answers again`)
  }

  /** @returns the error to throw */
  failed(priority: LanguagePriority, failure: Failure): LanguageModelUnavailableError {
    const { message, retryAfterMs, isAway } = failure
    const pauseMs = this.#circuits[priority].failed(retryAfterMs, isAway)
    if (retryAfterMs !== undefined || isAway) this.#circuits[otherThan(priority)].failed(retryAfterMs, isAway)
    this.#latest = { message, at: new Date() }
    if (pauseMs !== undefined) {
      const seconds = Math.ceil(pauseMs / 1000)
      this.#log.warn(
        `${this.#name} ${message}; ${priority} work goes on by local means, or waits, for ${seconds} s or more`,
      )
    }
    return new LanguageModelUnavailableError(`${this.#name} ${message}`, { retryAfterMs: retryAfterMs ?? pauseMs })
  }

  /** Nothing changes until an operator does something. */
  broke(priority: LanguagePriority, message: string): LanguageModelUnavailableError {
    const retryAfterMs = this.#circuits[priority].broke()
    this.#circuits[otherThan(priority)].broke()
    this.#latest = { message, at: new Date() }
    this.#log.error(`${this.#name} ${message}. Local means serve until this is mended.`)
    return new LanguageModelUnavailableError(`${this.#name} ${message}`, { retryAfterMs })
  }
}

function otherThan(priority: LanguagePriority): LanguagePriority {
  return priority === 'interactive' ? 'background' : 'interactive'
}
