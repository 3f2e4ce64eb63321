import { endsInTime } from '../in-time.ts'
import type { Logger } from '../log.ts'
import type { Chore } from '../plugin.ts'

/** A chore together with its owner: a plugin's id, or `core`. */
export interface OwnedChore {
  readonly owner: string
  readonly chore: Chore
}

interface Run {
  readonly begunAt: number
  readonly done: Promise<void>
  told: boolean
}

/**
 * A run that takes longer, and ten times as long as the interval, is reported once: its chore does not start again
 * meanwhile.
 */
const LONG_MS = 60_000

/** Runs chores at their intervals, and never two runs of one at once. A failure is logged and the chore runs again. */
export class ChoreRunner {
  readonly #timers: ReturnType<typeof setInterval>[] = []
  readonly #running = new Map<Chore, Run>()

  constructor(
    private readonly chores: readonly OwnedChore[],
    private readonly log: Logger,
  ) {}

  start(): void {
    for (const owned of this.chores) {
      this.#timers.push(setInterval(() => void this.#run(owned), owned.chore.everyMs))
    }
  }

  /**
   * Ends the intervals and runs chores a last time, so that what is buffered is written. Waits for none longer than
   * `limitMs`.
   */
  async stop(limitMs: number): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    const last = this.chores.map(async owned => {
      await this.#running.get(owned.chore)?.done
      if (owned.chore.atStop !== false) await this.#run(owned)
    })
    await endsInTime(Promise.all(last), limitMs)
    for (const { owner, chore } of this.chores) {
      if (this.#running.has(chore)) this.log.error(`${nameOf(owner)}: the chore ${chore.name} did not end at the stop`)
    }
  }

  async #run(owned: OwnedChore): Promise<void> {
    const { owner, chore } = owned
    const running = this.#running.get(chore)
    if (running) {
      this.#tellLong(owned, running)
      return
    }
    const failed = (error: unknown) =>
      this.log.warn(
        { err: error, plugin: owner, chore: chore.name },
        `${nameOf(owner)}: the chore ${chore.name} failed`,
      )
    // A plugin may throw at once, before there is a promise.
    const done = Promise.try(() => chore.run()).catch(failed)
    this.#running.set(chore, { begunAt: performance.now(), done, told: false })
    await done
    this.#running.delete(chore)
  }

  #tellLong({ owner, chore }: OwnedChore, run: Run): void {
    const tookMs = performance.now() - run.begunAt
    if (run.told || tookMs < Math.max(LONG_MS, 10 * chore.everyMs)) return
    run.told = true
    this.log.warn(`${nameOf(owner)}: the chore ${chore.name} has run for ${Math.round(tookMs / 1000)} s`)
  }
}

function nameOf(owner: string): string {
  return owner === 'core' ? owner : `plugin ${owner}`
}
