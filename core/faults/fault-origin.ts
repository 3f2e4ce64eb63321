import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }
import { AppError } from '../errors.ts'
import { blamedFor, runningPlugin } from './attribution.ts'

/** Locates a plugin's code: its module, whose folder counts as the plugin's. */
export interface PluginCode {
  readonly plugin: string
  readonly module: URL
}

/** An `exception` was thrown where nobody catches; a `rejection` is of a promise that nobody awaits. */
export type FaultKind = 'exception' | 'rejection'

/** Names the part at fault; `unknown` where nothing points to a plugin nor to the kernel. */
export type FaultOrigin =
  | { readonly of: 'plugin'; readonly plugin: string }
  | { readonly of: 'kernel' }
  | { readonly of: 'unknown' }

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../')
/** The kernel's code lies here. Other folders of the root may hold plugins. */
const KERNEL_FOLDERS = ['core', 'server', 'workers'].map(folder => `${ROOT}${folder}/`)
/** The kernel works with these packages. A frame in another package is a plugin's, whichever it is. */
const KERNEL_PACKAGES: ReadonlySet<string> = new Set(Object.keys(manifest.dependencies))

/**
 * Traces an uncaught error back by the first frame of its stack that lies in a plugin, else by the plugin on whose
 * behalf the code ran, as far as the runtime tells. Bun 1.4 has no context in the handler of unhandled rejections, and
 * Deno 2.9 none for errors thrown by a timer; {@link blame} and the stack stand in for it.
 */
export function originOf(error: unknown, kind: FaultKind, code: readonly PluginCode[]): FaultOrigin {
  const frames = framesOf(error).map(path => ownerOf(path, code))
  const framed = frames.find(owner => owner !== 'kernel' && owner !== undefined)
  if (framed !== undefined) return { of: 'plugin', plugin: framed }
  // An exception without a plugin's frame was thrown by a caller of its own, for example a driver that lost its state.
  const inKernel = frames.includes('kernel')
  if (inKernel && kind === 'exception') return { of: 'kernel' }
  const plugin = blamedFor(error) ?? runningPlugin()
  if (plugin !== undefined) return { of: 'plugin', plugin }
  return inKernel && !isAnswer(error) ? { of: 'kernel' } : { of: 'unknown' }
}

/** Errors that the kernel or the database returns to a caller are no fault of theirs: a caller did not await them. */
function isAnswer(error: unknown): boolean {
  return error instanceof AppError || (error instanceof Error && error.name === 'PostgresError')
}

/** Returns a plugin's id, or `kernel`, or undefined for runtimes and for packages of others. */
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

/** Returns the folder of the package that a module belongs to, or else the one that it lies in. */
function folderOf(module: string): string {
  return packageOf(module)?.folder ?? module.slice(0, module.lastIndexOf('/') + 1)
}

function packageOf(path: string): { folder: string; name: string } | undefined {
  const [folder, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
  return folder !== undefined && name !== undefined ? { folder, name } : undefined
}

/**
 * Lists the paths of the files in a stack, innermost first, in the forms of V8 (`at f (file:///x.ts:1:2)`) and
 * JavaScriptCore (`f@/x.ts:1:2`).
 */
function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? error.stack : undefined
  if (typeof stack !== 'string') return []
  return stack.split('\n').flatMap(line => {
    const path = /(?:^|[\s(@])((?:file:\/\/)?\/.*?):\d+(?::\d+)?\)?$/.exec(line)?.[1]
    if (path === undefined) return []
    return [path.startsWith('file:') ? fileURLToPath(path) : path]
  })
}
