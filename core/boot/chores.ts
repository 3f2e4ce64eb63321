import type { Logger } from '../log.ts'
import type { Chore } from '../plugin.ts'

/** Runs chores at their intervals, never one over itself. A failure is logged and the chore comes again. */
export class ChoreRunner {
  readonly #timers: ReturnType<typeof setInterval>[] = []
  readonly #running = new Map<Chore, Promise<void>>()

  constructor(
    private readonly chores: readonly Chore[],
    private readonly log: Logger,
  ) {}

  start(): void {
    for (const chore of this.chores) this.#timers.push(setInterval(() => void this.#run(chore), chore.everyMs))
  }

  /** Ends the intervals and runs chores a last time, so that what is buffered is written. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await Promise.all(this.#running.values())
    await Promise.all(this.chores.filter(chore => chore.atStop !== false).map(chore => this.#run(chore)))
  }

  async #run(chore: Chore): Promise<void> {
    if (this.#running.has(chore)) return
    const run = chore.run().catch(error => this.log.warn({ err: error, chore: chore.name }, 'chore failed'))
    this.#running.set(chore, run)
    await run
    this.#running.delete(chore)
  }
}
