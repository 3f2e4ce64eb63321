import type { Logger } from '../log.ts'
import type { SetUpPlugin } from './set-up.ts'
import { TimeLimitError, withinLimit } from './time-limit.ts'

/**
 * The whole of a stop takes so long, requests and jobs included; the entry point ends the process hard a little later.
 */
const STOP_MS = 15_000
/** So much of it is left for the chores and the database after the plugins. */
const RESERVE_MS = 1500
const PLUGIN_MS_MAX = 2000
/** Each plugin gets at least so long, however late it is. */
const PLUGIN_MS_MIN = 200

/** Takes the steps of a stop under one deadline: none that fails or hangs keeps the next from being taken. */
export class Shutdown {
  readonly #log: Logger
  readonly #endsAt: number

  constructor(log: Logger, stopMs = STOP_MS) {
    this.#log = log
    this.#endsAt = performance.now() + stopMs
  }

  /** Milliseconds until the deadline, at least `leastMs`. */
  left(leastMs: number): number {
    return Math.max(leastMs, this.#endsAt - performance.now())
  }

  /** @param leastMs how long it may take even when the deadline is past; without it the work bounds itself */
  async step(name: string, work: () => Promise<unknown> | unknown, leastMs?: number): Promise<void> {
    try {
      const done = Promise.try(work)
      if (leastMs === undefined) return void (await done)
      const limitMs = this.left(leastMs)
      await withinLimit(name, done, { noticeMs: limitMs / 2, limitMs }, this.#log)
    } catch (error) {
      this.#log.error({ err: error }, `${name} could not be stopped`)
    }
  }

  /** Stops plugins in the reverse order of their set-up. */
  async plugins(setUp: readonly SetUpPlugin[]): Promise<void> {
    for (const { plugin, parts } of [...setUp].reverse()) {
      if (parts.stop) await this.#plugin(plugin.id, parts.stop)
    }
  }

  async #plugin(id: string, stop: () => Promise<void>): Promise<void> {
    const named = `plugin ${id}: stop`
    // A plugin gets half of the remaining time, so that one that hangs leaves some to the others.
    const limitMs = Math.min(PLUGIN_MS_MAX, Math.max(PLUGIN_MS_MIN, (this.left(0) - RESERVE_MS) / 2))
    try {
      const work = Promise.try(() => stop())
      await withinLimit(named, work, { noticeMs: limitMs / 2, limitMs }, this.#log)
    } catch (error) {
      if (error instanceof TimeLimitError) this.#log.error(`${error.message}; the others are stopped without it`)
      else this.#log.error({ err: error, plugin: id }, `${named} failed; the others are stopped all the same`)
    }
  }
}
