import { existsSync, realpathSync, statSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resolve } from 'import-meta-resolve'
import type { LoadedPlugin } from '../core/boot/select.ts'
import { ConfigError } from '../core/config.ts'
import { inTime } from '../core/in-time.ts'
import { type AnyPlugin, eraseTypes } from '../core/plugin.ts'
import { bridgesPlugin } from '../plugins/bridges/index.ts'
import { consolePlugin } from '../plugins/console/index.ts'
import { contextPlugin } from '../plugins/context/index.ts'
import { conversationsPlugin } from '../plugins/conversations/index.ts'
import { dashboardPlugin } from '../plugins/dashboard/index.ts'
import { exportsPlugin } from '../plugins/exports/index.ts'
import { graphPlugin } from '../plugins/graph/index.ts'
import { ingestPlugin } from '../plugins/ingest/index.ts'
import { knowledgePlugin } from '../plugins/knowledge/index.ts'
import { mcpPlugin } from '../plugins/mcp/index.ts'
import { memoriesPlugin } from '../plugins/memories/index.ts'
import { oauthPlugin } from '../plugins/oauth/index.ts'
import { searchPlugin } from '../plugins/search/index.ts'
import { templatesPlugin } from '../plugins/templates/index.ts'
import { webhooksPlugin } from '../plugins/webhooks/index.ts'
import { workspacesPlugin } from '../plugins/workspaces/index.ts'
import { PACKAGE, publicEntries } from './entries.ts'

/** These plugins come with Mneme, in the order in which they are set up. */
export const builtInPlugins: readonly AnyPlugin[] = [
  eraseTypes(workspacesPlugin),
  eraseTypes(memoriesPlugin),
  eraseTypes(searchPlugin),
  eraseTypes(graphPlugin),
  eraseTypes(knowledgePlugin),
  eraseTypes(contextPlugin),
  eraseTypes(conversationsPlugin),
  // Before plugins that imports restore: a deletion of all memories then locks imports first, as the restoring does.
  eraseTypes(exportsPlugin),
  eraseTypes(ingestPlugin),
  eraseTypes(templatesPlugin),
  eraseTypes(webhooksPlugin),
  eraseTypes(dashboardPlugin),
  eraseTypes(oauthPlugin),
  eraseTypes(mcpPlugin),
  eraseTypes(bridgesPlugin),
  eraseTypes(consolePlugin),
]

/** Each lies here in a folder of its id. */
export const builtInFolder = new URL('plugins/', PACKAGE)

/**
 * Imports the plugins that `PLUGINS` names: package names, or paths beginning with `.` or `/` from the working folder.
 * Throws a ConfigError that names all of them that cannot be loaded; whether they are plugins is the kernel's to check.
 */
export async function loadThirdParty(specifiers: readonly string[]): Promise<readonly LoadedPlugin<unknown>[]> {
  if (specifiers.length === 0) return []
  const { provideEntries } = 'Deno' in globalThis ? await import('./deno.ts') : await import('./bun.ts')
  provideEntries(publicEntries())
  const loading = await Promise.all(specifiers.map(load))
  const faults = loading.filter(loaded => typeof loaded === 'string')
  if (faults.length > 0) throw new ConfigError(faults.map(message => ({ name: 'PLUGINS', message })))
  return loading.filter(loaded => typeof loaded !== 'string')
}

/** A module may take so long to load; one that never finishes would hold up the start without a word. */
const LOAD_MS_MAX = 30_000

/** Returns the module's export, which the kernel checks, or says what is wrong with it. */
async function load(specifier: string): Promise<LoadedPlugin<unknown> | string> {
  try {
    const module = locate(specifier)
    const exports: Readonly<Record<string, unknown>> = await inTime(import(module), LOAD_MS_MAX, () => {
      throw new Error(`it did not load within ${LOAD_MS_MAX / 1000} s: a top-level \`await\` in it does not end`)
    })
    if ('default' in exports) return { plugin: exports.default, origin: specifier, code: realModule(module) }
    const names = Object.keys(exports).join(', ')
    const found = names ? `it exports ${names}` : 'it exports nothing'
    return `names ${specifier}, which has no default export (${found}). Write \`export default definePlugin({ … })\`.`
  } catch (error) {
    return `names ${specifier}, which could not be loaded: ${loadFault(error, publicEntries().keys())}`
  }
}

/** Stacks name files by their real paths, also in a package that is linked. */
function realModule(module: string): URL {
  return pathToFileURL(realpathSync(fileURLToPath(module)))
}

/** Resolves a path, or a package that the working folder or Mneme finds. */
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

/** Faults of a build that one message names. */
const FAULTS_MAX = 3

/**
 * Says why a plugin's module could not be loaded, for its author.
 * @param entries what plugins can import from Mneme
 */
function loadFault(error: unknown, entries: Iterable<string>): string {
  // Bun gathers the faults of a file that it cannot parse, and says in the message only how many there are.
  const faults = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error]
  const said = faults.slice(0, FAULTS_MAX).map(withPlace).join('; ')
  return WANTS_MNEME.test(said) ? `${said}. Of Mneme a plugin can import ${[...entries].join(', ')}.` : said
}

/** The runtimes say this where a module of Mneme is none of its public entries. */
const WANTS_MNEME = /Cannot find (?:package|module) ['"]mneme\b|unprepared module: \S*\/mneme\//

function withPlace(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const position: unknown = Reflect.get(error, 'position')
  if (typeof position !== 'object' || position === null) return error.message
  return `${error.message} (${Reflect.get(position, 'file')}:${Reflect.get(position, 'line')})`
}
