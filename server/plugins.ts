import { pathToFileURL } from 'node:url'
import type { LoadedPlugin } from '../core/boot/select.ts'
import { ConfigError } from '../core/config.ts'
import { type AnyPlugin, eraseTypes } from '../core/plugin.ts'
import { conversationsPlugin } from '../plugins/conversations/index.ts'
import { graphPlugin } from '../plugins/graph/index.ts'
import { knowledgePlugin } from '../plugins/knowledge/index.ts'
import { memoriesPlugin } from '../plugins/memories/index.ts'
import { searchPlugin } from '../plugins/search/index.ts'
import { workspacesPlugin } from '../plugins/workspaces/index.ts'

/** The plugins that come with Mneme, in the order in which they are set up. */
export const builtInPlugins: readonly AnyPlugin[] = [
  eraseTypes(workspacesPlugin),
  eraseTypes(memoriesPlugin),
  eraseTypes(searchPlugin),
  eraseTypes(graphPlugin),
  eraseTypes(knowledgePlugin),
  eraseTypes(conversationsPlugin),
]

/**
 * Imports what `PLUGINS` names: package names, or paths beginning with `.` or `/` from the working folder.
 * Throws a ConfigError that names all of them that are no plugins.
 */
export async function loadThirdParty(specifiers: readonly string[]): Promise<readonly LoadedPlugin[]> {
  const loading = await Promise.all(specifiers.map(load))
  const faults = loading.filter(loaded => typeof loaded === 'string')
  if (faults.length > 0) throw new ConfigError(faults.map(message => ({ name: 'PLUGINS', message })))
  return loading.filter(loaded => typeof loaded !== 'string')
}

/** The plugin, or what is wrong with it. */
async function load(specifier: string): Promise<LoadedPlugin | string> {
  const target = /^[./]/.test(specifier) ? new URL(specifier, `${pathToFileURL(process.cwd())}/`).href : specifier
  let loaded: unknown
  try {
    loaded = await import(target)
  } catch (error) {
    return `names ${specifier}, which could not be loaded: ${error instanceof Error ? error.message : String(error)}`
  }
  const plugin = typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'default') : undefined
  return isPlugin(plugin)
    ? { plugin, origin: specifier }
    : `names ${specifier}, which has no plugin as its default export.`
}

function isPlugin(value: unknown): value is AnyPlugin {
  return typeof value === 'object' && value !== null && 'id' in value && 'apiVersion' in value && 'setup' in value
}
