import { ConfigError } from '../config.ts'
import type { AnyPlugin } from '../plugin.ts'

/** A plugin that `PLUGINS` names, with its origin, so that messages can say which of two it is. */
export interface LoadedPlugin<P = AnyPlugin> {
  readonly plugin: P
  /** The path or package name, as the setting gives it. */
  readonly origin: string
  /** The module it was imported from; late faults whose stack leads into its folder are its own. */
  readonly code?: URL
}

export interface PluginSelection {
  readonly loaded: readonly AnyPlugin[]
  /** Lists plugins left out, of `PLUGINS` too; their routes respond with FEATURE_NOT_ENABLED. */
  readonly disabled: readonly AnyPlugin[]
  /** Ids of the plugins that `PLUGINS` added. */
  readonly thirdParty: ReadonlySet<string>
  /** Tells where each of them came from; a plugin that is not in it is built in. */
  readonly origins: ReadonlyMap<AnyPlugin, string>
}

/** Says that two plugins claim the same, with where each was loaded from. */
export function conflict(
  what: string,
  plugin: AnyPlugin,
  owner: AnyPlugin,
  { origins }: Pick<PluginSelection, 'origins'>,
): string {
  if (owner === plugin) return `plugin ${plugin.id}: ${what} is declared twice; remove one`
  const [other, from] = [owner, plugin].map(each => `${each.id}: ${origins.get(each) ?? 'built in'}`)
  return `plugin ${plugin.id}: ${what} is declared by both ${owner.id} and ${plugin.id} (${other}, ${from}); change one of them or leave one out`
}

/**
 * Names the Postgres schema of a plugin, and its entry in the list of migrations: its id, after `x_` when it is a third
 * party's.
 */
export function schemaOf(plugin: AnyPlugin, { thirdParty }: PluginSelection): string {
  return thirdParty.has(plugin.id) ? `x_${plugin.id}` : plugin.id
}

/** Splits all plugins by `PLUGINS_DISABLED`, which names built-in ones and takes along those that require one of them. */
export function selectPlugins(
  builtIn: readonly AnyPlugin[],
  thirdParty: readonly LoadedPlugin[],
  disabledIds: readonly string[],
): PluginSelection {
  const unknown = disabledIds.filter(id => !builtIn.some(plugin => plugin.id === id))
  if (unknown.length > 0) {
    const known = builtIn.map(plugin => plugin.id).join(', ')
    throw new ConfigError(
      unknown.map(id => ({
        name: 'PLUGINS_DISABLED',
        message: `names ${id}, which is no built-in plugin (they are: ${known}).`,
      })),
    )
  }
  const all = [...builtIn, ...thirdParty.map(({ plugin }) => plugin)]
  const off = withDependants(all, disabledIds)
  return {
    loaded: all.filter(plugin => !off.has(plugin.id)),
    disabled: all.filter(plugin => off.has(plugin.id)),
    thirdParty: new Set(thirdParty.map(({ plugin }) => plugin.id)),
    origins: new Map(thirdParty.map(({ plugin, origin }) => [plugin, origin])),
  }
}

/** Returns the ids, and those of all plugins that require one of them, directly or not. */
function withDependants(plugins: readonly AnyPlugin[], ids: readonly string[]): ReadonlySet<string> {
  const off = new Set(ids)
  for (let before = -1; before < off.size; ) {
    before = off.size
    for (const { id, requires = [] } of plugins) if (requires.some(required => off.has(required))) off.add(id)
  }
  return off
}
