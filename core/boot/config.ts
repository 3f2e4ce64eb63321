import type { TObject } from '@sinclair/typebox'
import {
  ConfigError,
  type ConfigFault,
  type CoreConfig,
  coreConfig,
  crossCheck,
  type Environment,
  readConfig,
} from '../config.ts'
import type { AnyPlugin } from '../plugin.ts'

export interface Configuration {
  readonly core: CoreConfig
  /** Plugin id to its settings. */
  readonly plugins: ReadonlyMap<string, unknown>
}

/** Reads the settings of the core and of every plugin, and throws one ConfigError that names every fault of all of them. */
export function readConfiguration(plugins: readonly AnyPlugin[], environment: Environment): Configuration {
  const core = readConfig(coreConfig, environment)
  const faults: ConfigFault[] = [...core.faults]
  // A setting that is wrong in itself is named once, whatever else follows from it.
  faults.push(...crossCheck(core.values).filter(({ name }) => !core.faults.some(fault => fault.name === name)))
  const byPlugin = new Map<string, unknown>()
  for (const plugin of plugins) {
    const schema: TObject | undefined = plugin.config
    if (!schema) continue
    const reading = readConfig(schema, environment)
    faults.push(...reading.faults)
    byPlugin.set(plugin.id, reading.values)
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return { core: core.values, plugins: byPlugin }
}
