import { pathToFileURL } from 'node:url'
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

/** Imports what `PLUGINS` names: package names, or paths beginning with `.` or `/` from the working folder. */
export async function loadThirdParty(specifiers: readonly string[]): Promise<readonly AnyPlugin[]> {
  return Promise.all(specifiers.map(load))
}

async function load(specifier: string): Promise<AnyPlugin> {
  const target = /^[./]/.test(specifier) ? new URL(specifier, `${pathToFileURL(process.cwd())}/`).href : specifier
  let loaded: unknown
  try {
    loaded = await import(target)
  } catch (error) {
    throw new Error(
      `PLUGINS: ${specifier} could not be loaded: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const plugin = typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'default') : undefined
  if (!isPlugin(plugin)) throw new Error(`PLUGINS: ${specifier} has no plugin as its default export`)
  return plugin
}

function isPlugin(value: unknown): value is AnyPlugin {
  return typeof value === 'object' && value !== null && 'id' in value && 'apiVersion' in value && 'setup' in value
}
