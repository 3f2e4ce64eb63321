import { existsSync, statSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import { pathToFileURL } from 'node:url'
import { resolve } from 'import-meta-resolve'
import type { LoadedPlugin } from '../core/boot/select.ts'
import { ConfigError } from '../core/config.ts'
import { type AnyPlugin, eraseTypes } from '../core/plugin.ts'
import { conversationsPlugin } from '../plugins/conversations/index.ts'
import { graphPlugin } from '../plugins/graph/index.ts'
import { knowledgePlugin } from '../plugins/knowledge/index.ts'
import { memoriesPlugin } from '../plugins/memories/index.ts'
import { searchPlugin } from '../plugins/search/index.ts'
import { workspacesPlugin } from '../plugins/workspaces/index.ts'
import { publicEntries } from './entries.ts'

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
  if (specifiers.length === 0) return []
  const { provideEntries } = 'Deno' in globalThis ? await import('./deno.ts') : await import('./bun.ts')
  provideEntries(publicEntries())
  const loading = await Promise.all(specifiers.map(load))
  const faults = loading.filter(loaded => typeof loaded === 'string')
  if (faults.length > 0) throw new ConfigError(faults.map(message => ({ name: 'PLUGINS', message })))
  return loading.filter(loaded => typeof loaded !== 'string')
}

/** The plugin, or what is wrong with it. */
async function load(specifier: string): Promise<LoadedPlugin | string> {
  let loaded: unknown
  let module: string
  try {
    module = locate(specifier)
    loaded = await import(module)
  } catch (error) {
    return `names ${specifier}, which could not be loaded: ${error instanceof Error ? error.message : String(error)}`
  }
  const plugin = typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'default') : undefined
  return isPlugin(plugin)
    ? { plugin, origin: specifier, code: new URL('./', module) }
    : `names ${specifier}, which has no plugin as its default export.`
}

/** The module of a path, or of a package that lies where the working folder finds it, or where Mneme does. */
function locate(specifier: string): string {
  if (/^[./]/.test(specifier)) {
    const path = resolvePath(specifier)
    if (existsSync(path) && statSync(path).isDirectory()) throw new Error('it is a folder. Name the file in it.')
    return pathToFileURL(path).href
  }
  try {
    return resolve(specifier, `${pathToFileURL(process.cwd())}/`)
  } catch (error) {
    if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'ERR_MODULE_NOT_FOUND') throw error
    return resolve(specifier, import.meta.url)
  }
}

function isPlugin(value: unknown): value is AnyPlugin {
  return typeof value === 'object' && value !== null && 'id' in value && 'apiVersion' in value && 'setup' in value
}
