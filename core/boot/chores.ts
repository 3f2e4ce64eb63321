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

/** A run that takes longer, and ten times as long as the interval, is reported once: its chore does not start again meanwhile. */
const LONG_MS = 60_000

/** Chores that are due within so many milliseconds of each other run together. */
const TOGETHER_MS = 20

/** Runs chores at their intervals by one clock, and never two runs of one at once. A failure is logged and the chore runs again. */
export class ChoreRunner {
  #timer: ReturnType<typeof setTimeout> | undefined
  #startedAt = 0
  readonly #dueAt = new Map<OwnedChore, number>()
  readonly #running = new Map<Chore, Run>()

  constructor(
    private readonly chores: readonly OwnedChore[],
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#startedAt = performance.now()
    for (const owned of this.chores) this.#dueIn(owned, owned.chore.everyMs)
    this.#tick()
  }

  /** Ends the intervals and runs chores a last time, for at most `limitMs`, so that what is buffered is written. */
  async stop(limitMs: number): Promise<void> {
    clearTimeout(this.#timer)
    this.#dueAt.clear()
    const last = this.chores.map(async owned => {
      await this.#running.get(owned.chore)?.done
      if (owned.chore.atStop !== false) await this.#run(owned)
    })
    await endsInTime(Promise.all(last), limitMs)
    for (const { owner, chore } of this.chores) {
      if (this.#running.has(chore)) this.log.error(`${nameOf(owner)}: the chore ${chore.name} did not end at the stop`)
    }
  }

  /** Chores run at multiples of their intervals since the start, so that an idle process wakes up for several at once. */
  #dueIn(owned: OwnedChore, everyMs: number): void {
    const sinceStart = performance.now() - this.#startedAt
    this.#dueAt.set(owned, this.#startedAt + (Math.floor((sinceStart + TOGETHER_MS) / everyMs) + 1) * everyMs)
  }

  /** Runs what is due, and comes again when the next is. */
  #tick(): void {
    const now = performance.now()
    for (const [owned, dueAt] of this.#dueAt) {
      if (dueAt > now + TOGETHER_MS) continue
      // A timer that comes late, as on a busy machine, makes up for nothing.
      this.#dueIn(owned, owned.chore.everyMs)
      void this.#run(owned)
    }
    const next = Math.min(...this.#dueAt.values())
    if (Number.isFinite(next)) this.#timer = setTimeout(() => this.#tick(), Math.max(0, next - now))
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
    const begun: Promise<unknown> = Promise.try(async () => chore.run())
    const done = begun.then(found => this.#rest(owned, found === 'idle')).catch(failed)
    this.#running.set(chore, { begunAt: performance.now(), done, told: false })
    await done
    this.#running.delete(chore)
  }

  #rest(owned: OwnedChore, isIdle: boolean): void {
    const { idleMs } = owned.chore
    if (isIdle && idleMs && this.#dueAt.has(owned)) this.#dueIn(owned, idleMs)
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
