import { type Metric, Registry } from 'prom-client'
import { inTime } from '../in-time.ts'
import type { Logger } from '../log.ts'
import { belongsTo } from '../metrics.ts'

/** A metric may take so long to be collected, while the others wait for it. */
const COLLECT_MS_MAX = 1000

/** The core registers these names once all plugins are set up. */
const CORE_NAMES = /^(plugin_faults_total$|mneme_(job|retention)_)/

/** Maps each metric of the process to the plugin that registered it. */
export class PluginMetrics {
  readonly #shared: Registry
  readonly #log: Logger
  readonly #owners = new Map<string, string>()

  constructor(
    shared: Registry,
    log: Logger,
    private readonly collectMs = COLLECT_MS_MAX,
  ) {
    this.#shared = shared
    this.#log = log
  }

  /** Gives a plugin a registry for its metrics: those of others are out of its reach, and its own fail alone. */
  for(plugin: string): Registry {
    return new OwnRegistry(this, this.#shared, plugin)
  }

  admit(plugin: string, metric: Metric): void {
    const name = nameOf(metric)
    if (this.#shared.getSingleMetric(name) || CORE_NAMES.test(name)) {
      const owner = this.#owners.get(name) ?? 'the core'
      const by = owner === plugin ? 'twice' : `that ${owner} has registered already`
      throw new Error(`plugin ${plugin}: registers the metric ${name} ${by}; name it ${plugin}_…, once`)
    }
    this.#owners.set(name, plugin)
    this.#contain(plugin, name, metric)
    this.#shared.registerMetric(metric)
  }

  remove(plugin: string, name: string): void {
    if (this.#owners.get(name) !== plugin) return
    this.#owners.delete(name)
    this.#shared.removeSingleMetric(name)
  }

  /** One metric that cannot be collected must not take `/metrics` from everybody. */
  #contain(plugin: string, name: string, metric: Metric): void {
    const collect: unknown = Reflect.get(metric, 'collect')
    if (typeof collect !== 'function') return
    const failed = (error: unknown) =>
      this.#log.warn({ err: error, plugin }, `plugin ${plugin}: the metric ${name} could not be collected`)
    Reflect.set(metric, 'collect', async () => {
      const collected = Promise.try(() => Reflect.apply(collect, metric, []))
      const late = () => {
        throw new Error(`no value within ${this.collectMs} ms`)
      }
      await inTime(collected, this.collectMs, late).catch(failed)
    })
  }
}

class OwnRegistry extends Registry {
  constructor(
    private readonly all: PluginMetrics,
    shared: Registry,
    private readonly plugin: string,
  ) {
    super()
    belongsTo(this, shared)
  }

  override registerMetric<T extends string>(metric: Metric<T>): void {
    this.all.admit(this.plugin, metric as Metric)
    super.registerMetric(metric)
  }

  override removeSingleMetric(name: string): void {
    this.all.remove(this.plugin, name)
    super.removeSingleMetric(name)
  }

  override clear(): void {
    for (const { name } of this.getMetricsAsArray()) this.all.remove(this.plugin, name)
    super.clear()
  }
}

function nameOf(metric: Metric): string {
  return String(Reflect.get(metric, 'name'))
}
