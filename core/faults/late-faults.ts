import { Counter, type Registry } from 'prom-client'
import type { Logger } from '../log.ts'
import { type FaultKind, originOf, type PluginCode } from './fault-origin.ts'

/** Faults that nothing traces back stand under this name. */
const UNKNOWN = 'unknown'
/** `/ready` shows a plugin as degraded for so long after its last fault. */
const REMEMBER_MS = 3_600_000
/** A plugin that fails in a loop must not fill the disk, so it gets so many lines a minute. */
const LINES_A_MINUTE = 10

/** Counts a plugin's errors that nobody could catch any more. */
export interface PluginFaults {
  readonly plugin: string
  readonly count: number
  readonly lastAt: Date
}

interface Tally {
  count: number
  lastAt: number
  /** The running minute began then. */
  minuteBegan: number
  lines: number
}

/**
 * Takes errors that nobody caught. Those of plugins are logged, counted and shown in `/ready`, and the process goes on;
 * one of the kernel is handed back, since nobody knows what state it left behind.
 */
export class LateFaults {
  readonly #now: () => number
  readonly #tallies = new Map<string, Tally>()
  #code: readonly PluginCode[] = []
  #log: Logger
  #counter: Counter<'plugin'> | undefined

  /** @param log for what happens before the kernel has {@link report}ed its own */
  constructor(log: Logger, now: () => number = Date.now) {
    this.#log = log
    this.#now = now
  }

  /** Tells where plugins' code lies, so that a stack shows which one is at fault. */
  locate(code: readonly PluginCode[]): void {
    this.#code = code
  }

  /** From here on faults go to this log and these metrics. */
  report(log: Logger, registry: Registry): void {
    this.#log = log
    this.#counter = new Counter({
      name: 'plugin_faults_total',
      help: 'Errors of a plugin that nobody awaited or caught.',
      labelNames: ['plugin'],
      registers: [registry],
    })
    for (const plugin of [UNKNOWN, ...this.#code.map(code => code.plugin)]) this.#counter.labels(plugin).inc(0)
    for (const [plugin, { count }] of this.#tallies) this.#counter.labels(plugin).inc(count)
  }

  /** @returns false for a fault of the kernel, with which the process should end */
  take(error: unknown, kind: FaultKind): boolean {
    const origin = originOf(error, kind, this.#code)
    if (origin.of === 'kernel') return false
    const plugin = origin.of === 'plugin' ? origin.plugin : UNKNOWN
    const tally = this.#tally(plugin)
    tally.count++
    tally.lastAt = this.#now()
    this.#counter?.labels(plugin).inc()
    this.#write(plugin, tally, error, kind)
    return true
  }

  /** Lists plugins with a recent fault. */
  recent(): PluginFaults[] {
    const since = this.#now() - REMEMBER_MS
    return [...this.#tallies]
      .filter(([, { lastAt }]) => lastAt >= since)
      .map(([plugin, { count, lastAt }]) => ({ plugin, count, lastAt: new Date(lastAt) }))
  }

  #tally(plugin: string): Tally {
    const known = this.#tallies.get(plugin)
    if (known) return known
    const tally = { count: 0, lastAt: 0, minuteBegan: Number.NEGATIVE_INFINITY, lines: 0 }
    this.#tallies.set(plugin, tally)
    return tally
  }

  #write(plugin: string, tally: Tally, error: unknown, kind: FaultKind): void {
    if (tally.lastAt - tally.minuteBegan >= 60_000) Object.assign(tally, { minuteBegan: tally.lastAt, lines: 0 })
    tally.lines++
    if (tally.lines > LINES_A_MINUTE) return
    const named = plugin === UNKNOWN ? 'a plugin that cannot be told' : `plugin ${plugin}`
    const what =
      kind === 'rejection' ? 'a promise that nobody awaits was rejected' : 'an error was thrown that nobody catches'
    const more = tally.lines === LINES_A_MINUTE ? '; further ones of this minute are counted only' : ''
    // Where the plugin cannot be told, the list of candidates helps.
    const among = plugin === UNKNOWN ? { among: [...new Set(this.#code.map(code => code.plugin))] } : {}
    this.#log.error({ err: error, plugin, ...among }, `${named}: ${what}${more}`)
  }
}
