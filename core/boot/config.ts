import type { TObject } from '@sinclair/typebox'
import { untrustable } from '../auth/client-address.ts'
import {
  ConfigError,
  type ConfigFault,
  type CoreConfig,
  coreConfig,
  crossCheck,
  type Environment,
  readConfig,
} from '../config.ts'
import { messageOf } from '../failure-reason.ts'
import { isOrigin } from '../http/cors.ts'
import { splitList } from '../parts.ts'
import type { AnyPlugin } from '../plugin.ts'
import { nearest } from '../suggest.ts'

/** Below so many characters a name is easily like another one by chance, as HOSTS and HOST. */
const SLIP_LENGTH_MIN = 7

export interface Configuration {
  readonly core: CoreConfig
  /** Maps a plugin's id to its settings. */
  readonly plugins: ReadonlyMap<string, unknown>
  /** Sentences about settings that are given and change nothing: another one is not set, or the name is misspelt. */
  readonly idle: readonly string[]
}

/**
 * Reads the settings of the core and of every plugin, and throws one ConfigError that names every fault of all of them,
 * beside those that were `found` before.
 */
export function readConfiguration(
  plugins: readonly AnyPlugin[],
  environment: Environment,
  found: readonly ConfigFault[] = [],
): Configuration {
  const core = readConfig(coreConfig, environment)
  const faults: ConfigFault[] = [...found, ...core.faults]
  // A setting that is wrong in itself is named once, whatever else follows from it.
  const further = [...crossCheck(core.values), ...checkOrigins(environment), ...checkProxies(environment)]
  faults.push(...further.filter(({ name }) => !core.faults.some(fault => fault.name === name)))
  const byPlugin = new Map<string, unknown>()
  for (const plugin of plugins) {
    const schema: TObject | undefined = plugin.config
    if (!schema) continue
    const reading = readConfig(schema, environment)
    faults.push(...reading.faults, ...furtherFaults(plugin, schema, reading.faults, environment))
    byPlugin.set(plugin.id, reading.values)
  }
  if (faults.length > 0) throw new ConfigError(faults)
  const schemas = [coreConfig, ...plugins.flatMap(({ config }) => config ?? [])]
  const idle = [...schemas.flatMap(schema => idleSettings(schema, environment)), ...misspelt(schemas, environment)]
  return { core: core.values, plugins: byPlugin, idle }
}

/**
 * Names variables that are one slip from a setting. The environment holds those of other programs too, so names with
 * more slips, and short ones, are not taken for misspelt.
 */
function misspelt(schemas: readonly TObject[], environment: Environment): string[] {
  const known = schemas.flatMap(({ properties }) => Object.keys(properties))
  return Object.keys(environment).flatMap(name => {
    if (name.length < SLIP_LENGTH_MIN || known.includes(name) || !environment[name]?.trim()) return []
    const meant = nearest(name, known, 1)
    return meant === undefined ? [] : [`${name} is no setting and has no effect: did you mean ${meant}?`]
  })
}

/** A setting names in `onlyWith` the one that it belongs to, alone or with the value that this must have: `EMBEDDINGS=http`. */
function idleSettings({ properties }: TObject, environment: Environment): string[] {
  const given = (name: string) => environment[name]?.trim()
  return Object.entries(properties).flatMap(([name, { onlyWith }]) => {
    if (typeof onlyWith !== 'string' || !given(name)) return []
    const [other = '', value] = onlyWith.split('=')
    const isUsed = value === undefined ? given(other) : given(other) === value
    return isUsed ? [] : [`${name} has no effect without ${onlyWith}`]
  })
}

/** The plugin's own check is given what fits the schema: settings at fault count as unset, and are named once. */
function furtherFaults(
  plugin: AnyPlugin,
  schema: TObject,
  known: readonly ConfigFault[],
  environment: Environment,
): readonly ConfigFault[] {
  if (!plugin.checkConfig) return []
  const unset = Object.fromEntries(known.map(({ name }) => [name, undefined]))
  const sound = readConfig(schema, { ...environment, ...unset })
  if (sound.faults.length > 0) return []
  try {
    return plugin.checkConfig(sound.values).filter(({ name }) => !(name in unset))
  } catch (error) {
    const reason = messageOf(error)
    throw new Error(`plugin ${plugin.id}: checkConfig failed: ${reason}`, { cause: error })
  }
}

/** An unrecognised proxy would have all its clients counted as one. */
function checkProxies({ TRUSTED_PROXIES }: Environment): ConfigFault[] {
  if (untrustable(splitList(TRUSTED_PROXIES)).length === 0) return []
  return [{ name: 'TRUSTED_PROXIES', message: 'must be comma-separated IP addresses or CIDR ranges, as 10.0.0.0/8.' }]
}

/** An origin that no browser sends would let nobody in, without a word. */
function checkOrigins({ CORS_ORIGINS }: Environment): ConfigFault[] {
  if (splitList(CORS_ORIGINS).every(isOrigin)) return []
  const message =
    'must be `*` or comma-separated origins as browsers send them, for example https://app.example:8443: no path.'
  return [{ name: 'CORS_ORIGINS', message }]
}
