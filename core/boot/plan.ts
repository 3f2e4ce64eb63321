import { ConfigError, type ConfigFault, type Environment, splitList } from '../config.ts'
import type { AnyPlugin } from '../plugin.ts'
import { checkManifests } from './check.ts'
import { type Configuration, readConfiguration } from './config.ts'
import { checkGrants } from './entitlements.ts'
import { inOrder } from './order.ts'
import { type LoadedPlugin, type PluginSelection, selectPlugins } from './select.ts'

export interface PlanInput {
  readonly environment: Environment
  readonly builtIn: readonly AnyPlugin[]
  /** Imports what `PLUGINS` names, which is the entry point's business; throws a ConfigError for what is no plugin. */
  loadThirdParty(specifiers: readonly string[]): Promise<readonly LoadedPlugin[]>
}

/** All that can be checked without touching anything: manifests, order, settings. */
export async function plan(input: PlanInput): Promise<{ selection: PluginSelection; configuration: Configuration }> {
  const { environment, builtIn, loadThirdParty } = input
  const faults: ConfigFault[] = []
  const thirdParty = await orNote(faults, [], () => loadThirdParty(splitList(environment.PLUGINS)))
  const disabledIds = splitList(environment.PLUGINS_DISABLED)
  const selection = await orNote(faults, selectPlugins(builtIn, thirdParty, []), () =>
    selectPlugins(builtIn, thirdParty, disabledIds),
  )
  // What is wrong with the plugins that are named is told together with every other setting, before anything else.
  if (faults.length > 0) readConfiguration(selection.loaded, environment, faults)
  checkManifests(selection)
  const loaded = inOrder(selection.loaded)
  const wrongGrants = checkGrants(selection, environment)
  return { selection: { ...selection, loaded }, configuration: readConfiguration(loaded, environment, wrongGrants) }
}

/** What `work` gives, or `otherwise` when settings are at fault, which are noted then. */
async function orNote<T>(faults: ConfigFault[], otherwise: T, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    faults.push(...error.faults)
    return otherwise
  }
}
