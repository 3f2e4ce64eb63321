import { ConfigError, type ConfigFault, type Environment } from '../config.ts'
import type { PluginCode } from '../faults/fault-origin.ts'
import { splitList } from '../parts.ts'
import type { AnyPlugin } from '../plugin.ts'
import { orDidYouMean } from '../suggest.ts'
import { checkManifests, ManifestError } from './check.ts'
import { type Configuration, readConfiguration } from './config.ts'
import { checkGrants } from './entitlements.ts'
import { readManifest } from './manifest/read.ts'
import { type LoadedPlugin, type PluginSelection, selectPlugins } from './select.ts'

export interface PlanInput {
  readonly environment: Environment
  readonly builtIn: readonly AnyPlugin[]
  /** The built-in plugins lie here, each in a folder of its id; their late faults are known by it. */
  readonly builtInFolder?: URL
  /**
   * Imports the plugins that `PLUGINS` names, which is the entry point's business; throws a ConfigError for a module
   * that exports none.
   */
  loadThirdParty(specifiers: readonly string[]): Promise<readonly LoadedPlugin<unknown>[]>
}

export interface Plan {
  readonly selection: PluginSelection
  readonly configuration: Configuration
  readonly code: readonly PluginCode[]
}

/** Checks all that can be checked without touching anything: manifests, order, settings. */
export async function plan(input: PlanInput): Promise<Plan> {
  const { environment, loadThirdParty } = input
  const faults: ConfigFault[] = []
  const named = await orNote(faults, [], () => loadThirdParty(splitList(environment.PLUGINS)))
  // A plugin that could not be loaded may declare features that no other does.
  const knowsFeatures = faults.length === 0
  const { builtIn, thirdParty } = readManifests(input.builtIn, named)
  const disabledIds = splitList(environment.PLUGINS_DISABLED)
  const selection = await orNote(faults, selectPlugins(builtIn, thirdParty, []), () =>
    selectPlugins(builtIn, thirdParty, disabledIds),
  )
  const wrongGrants = checkGrants(selection, environment, knowsFeatures)
  // Faults of the named plugins are reported together with those of every other setting, before anything else.
  if (faults.length > 0) readConfiguration(selection.loaded, environment, [...faults, ...wrongGrants])
  checkManifests(selection)
  const loaded = inOrder(selection.loaded)
  const configuration = readConfiguration(loaded, environment, wrongGrants)
  return { selection: { ...selection, loaded }, configuration, code: codeOf(builtIn, thirdParty, input.builtInFolder) }
}

/** Returns checked copies of all manifests. */
function readManifests(builtIn: readonly AnyPlugin[], named: readonly LoadedPlugin<unknown>[]) {
  const faults: string[] = []
  const read = (plugin: unknown, origin: string): AnyPlugin[] => {
    const reading = readManifest(plugin, origin)
    if ('value' in reading) return [reading.value]
    faults.push(...reading.faults)
    return []
  }
  const own = builtIn.flatMap(plugin => read(plugin, 'built in'))
  const thirdParty = named.flatMap(loaded =>
    read(loaded.plugin, loaded.origin).map(plugin => ({ ...loaded, plugin }) satisfies LoadedPlugin),
  )
  if (faults.length > 0) throw new ManifestError(faults)
  return { builtIn: own, thirdParty }
}

function codeOf(
  builtIn: readonly AnyPlugin[],
  thirdParty: readonly LoadedPlugin[],
  folder: URL | undefined,
): PluginCode[] {
  return [
    ...(folder ? builtIn.map(({ id }) => ({ plugin: id, module: new URL(`${id}/index.ts`, folder) })) : []),
    ...thirdParty.flatMap(({ plugin, code }) => (code ? [{ plugin: plugin.id, module: code }] : [])),
  ]
}

/** Returns the result of `work`, or `otherwise` when settings are at fault, which are noted then. */
async function orNote<T>(faults: ConfigFault[], otherwise: T, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    faults.push(...error.faults)
    return otherwise
  }
}

/** Orders plugins with every requirement before its dependant, otherwise as given. Throws on missing or cyclic ones. */
export function inOrder(plugins: readonly AnyPlugin[]): AnyPlugin[] {
  const byId = new Map(plugins.map(plugin => [plugin.id, plugin]))
  const faults = plugins.flatMap(plugin =>
    (plugin.requires ?? [])
      .filter(id => !byId.has(id))
      .map(id => {
        const hint = orDidYouMean(id, [...byId.keys()], 'add it to PLUGINS')
        return `plugin ${plugin.id} requires the plugin ${id}, which is not loaded; ${hint}`
      }),
  )
  if (faults.length > 0) throw new ManifestError(faults)
  const done = new Set<string>()
  const ordered: AnyPlugin[] = []
  const visit = (plugin: AnyPlugin, path: readonly string[]): void => {
    if (done.has(plugin.id)) return
    if (path.includes(plugin.id)) {
      const circle = [...path.slice(path.indexOf(plugin.id)), plugin.id]
      const shown = circle.join(' -> ')
      const remedy = 'take one of these out of `requires` or `optional`'
      throw new ManifestError([`plugin ${plugin.id}: plugins require one another in a circle: ${shown}; ${remedy}`])
    }
    for (const id of [...(plugin.requires ?? []), ...(plugin.optional ?? [])]) {
      const needed = byId.get(id)
      if (needed) visit(needed, [...path, plugin.id])
    }
    done.add(plugin.id)
    ordered.push(plugin)
  }
  for (const plugin of plugins) visit(plugin, [])
  return ordered
}
