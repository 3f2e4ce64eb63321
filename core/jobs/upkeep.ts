import type { Database } from '../db/database.ts'
import type { Logger } from '../log.ts'
import { ClockMender } from './mend-clock.ts'
import { admitJobs } from './places.ts'

/** Looks after what the queue has from processes that died and clocks that were wrong, a round at a time. */
export class Upkeep {
  readonly #database: Database
  readonly #log: Logger
  readonly #clockMender: ClockMender
  /** The next look for jobs that wait for a place continues from here. */
  #admittedTo = ''
  #round: Promise<void> | undefined

  constructor(database: Database, log: Logger) {
    this.#database = database
    this.#log = log
    this.#clockMender = new ClockMender(database)
  }

  /** Begins a round unless one is under way, which may take as long as somebody else's lock lasts. */
  begin(): void {
    this.#round ??= this.#run().finally(() => {
      this.#round = undefined
    })
  }

  /** Resolves when no round is under way. */
  async settled(): Promise<void> {
    await this.#round
  }

  async #run(): Promise<void> {
    try {
      await this.#clockMender.mend()
    } catch (error) {
      this.#log.warn({ err: error }, 'the clock could not be looked at')
    }
    try {
      this.#admittedTo = await admitJobs(this.#database, this.#admittedTo)
    } catch (error) {
      this.#log.warn({ err: error }, 'jobs that wait for a place could not be looked for')
    }
  }
}
