import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../package.json' with { type: 'json' }
import { blamedFor, runningPlugin } from './attribution.ts'
import { AppError } from './errors.ts'

/** The module of a plugin, whose folder is taken to be the plugin's. */
export interface PluginCode {
  readonly plugin: string
  readonly module: URL
}

/** `exception`: thrown where nobody catches. `rejection`: of a promise that nobody awaits. */
export type FaultKind = 'exception' | 'rejection'

/** Whose fault it is; `unknown` where nothing says so, and nothing points to the kernel either. */
export type FaultOrigin =
  | { readonly of: 'plugin'; readonly plugin: string }
  | { readonly of: 'kernel' }
  | { readonly of: 'unknown' }

const ROOT = `${dirname(dirname(fileURLToPath(import.meta.url)))}/`
/** Code of the kernel. Other folders of the root may hold plugins. */
const KERNEL_FOLDERS = ['core', 'server', 'workers'].map(folder => `${ROOT}${folder}/`)
/** Packages that the kernel works with. A frame in another package is a plugin's, whichever it is. */
const KERNEL_PACKAGES: ReadonlySet<string> = new Set(Object.keys(manifest.dependencies))

/**
 * Finds out whose an error is that nobody caught: by the first frame of its stack that lies in a plugin, else by the plugin on
 * whose behalf the code ran, as far as the runtime tells. Bun 1.4 has no context in the handler of unhandled rejections, and
 * Deno 2.9 none for what a timer throws; {@link blame} and the stack stand in for it.
 */
export function originOf(error: unknown, kind: FaultKind, code: readonly PluginCode[]): FaultOrigin {
  const frames = framesOf(error).map(path => ownerOf(path, code))
  const framed = frames.find(owner => owner !== 'kernel' && owner !== undefined)
  if (framed !== undefined) return { of: 'plugin', plugin: framed }
  // What is thrown under no plugin's frame was not called by one: a driver that lost its state, for example.
  const inKernel = frames.includes('kernel')
  if (inKernel && kind === 'exception') return { of: 'kernel' }
  const plugin = blamedFor(error) ?? runningPlugin()
  if (plugin !== undefined) return { of: 'plugin', plugin }
  return inKernel && !isAnswer(error) ? { of: 'kernel' } : { of: 'unknown' }
}

/** What the kernel or the database answers to a caller is no fault of theirs: somebody did not await it. */
function isAnswer(error: unknown): boolean {
  return error instanceof AppError || (error instanceof Error && error.name === 'PostgresError')
}

/** A plugin's id, or `kernel`, or undefined for runtimes and for packages of others. */
function ownerOf(path: string, code: readonly PluginCode[]): string | undefined {
  const exact = code.filter(({ module }) => fileURLToPath(module) === path)
  if (exact.length === 1) return exact[0]?.plugin
  if (KERNEL_FOLDERS.some(folder => path.startsWith(folder))) return 'kernel'
  const inPackage = packageOf(path)
  const near = code
    .map(({ plugin, module }) => ({ plugin, folder: folderOf(fileURLToPath(module)) }))
    .filter(({ folder }) => path.startsWith(folder))
    // A plugin beside the kernel's folders does not own the kernel's packages.
    .filter(({ folder }) => !inPackage || !ROOT.startsWith(folder))
  const longest = Math.max(...near.map(({ folder }) => folder.length))
  const owners = new Set(near.filter(({ folder }) => folder.length === longest).map(({ plugin }) => plugin))
  // Several plugins in one folder are told apart by their modules only.
  if (owners.size === 1) return [...owners][0]
  return inPackage && KERNEL_PACKAGES.has(inPackage.name) ? 'kernel' : undefined
}

/** The folder of the package that a module belongs to, or else the one that it lies in. */
function folderOf(module: string): string {
  return packageOf(module)?.folder ?? module.slice(0, module.lastIndexOf('/') + 1)
}

function packageOf(path: string): { folder: string; name: string } | undefined {
  const [folder, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
  return folder !== undefined && name !== undefined ? { folder, name } : undefined
}

/** Paths of the files in a stack, innermost first, in the forms of V8 (`at f (file:///x.ts:1:2)`) and JavaScriptCore (`f@/x.ts:1:2`). */
function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? error.stack : undefined
  if (typeof stack !== 'string') return []
  return stack.split('\n').flatMap(line => {
    const path = /(?:^|[\s(@])((?:file:\/\/)?\/.*?):\d+(?::\d+)?\)?$/.exec(line)?.[1]
    if (path === undefined) return []
    return [path.startsWith('file:') ? fileURLToPath(path) : path]
  })
}
