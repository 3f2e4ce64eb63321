import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files that one process runs, one after the other. */
export interface Batch {
  /** The path of its file, or the folder that its files have in common and how many they are. */
  readonly name: string
  readonly paths: readonly string[]
  /** Closes what each file opened at its end, so that nothing of it is left to the next one. */
  readonly closesEach: boolean
}

/** A process of so many files stays well below two gigabytes, and no worker is left with a long batch at the end. */
const FILES_MAX = { service: 8, own: 8, computing: 16 }

/** A test that has any of these looks at more than its own workspace, so that it takes a service or a database of its own. */
const OWN_PARTS = /\b(startService|idleService|runService|ownDatabaseUrl|emptyDatabaseUrl|controlPlane|jobWorld)\b/

/** A test that has any of these changes its process, or measures it. */
const OWN_PROCESS = /\b(setupServer|useFakeTimers|setSystemTime|mock|spyOn|spawn|globalThis|process\.(?!ts\b))/

/**
 * Puts files of the kernel, of one plugin or of one folder together, to run in one process: to start it, to load the product and to have it compiled takes
 * longer than most of them. Those that need nothing but the shared service share it, those that need more each have their own, and some need
 * no database at all. A file that changes its process is alone, and so is one that starts others.
 *
 * @param withDatabase those of `paths` that may ask for a database
 */
export function batchesOf(root: string, paths: readonly string[], withDatabase: ReadonlySet<string>): Batch[] {
  const sharing = new Map<string, { readonly kind: Kind; readonly files: string[] }>()
  const alone: Batch[] = []
  for (const path of paths) {
    const kind = kindOf(path, readFileSync(join(root, path), 'utf8'), withDatabase.has(path))
    if (kind === undefined) {
      alone.push(batch('own', [path]))
      continue
    }
    const place = `${kind} ${path.split('/', path.startsWith('core/') ? 1 : 2).join('/')}`
    const group = sharing.get(place) ?? { kind, files: [] }
    group.files.push(path)
    sharing.set(place, group)
  }
  const shared = [...sharing.values()].flatMap(({ kind, files }) =>
    evenParts(files, FILES_MAX[kind]).map(part => batch(kind, part)),
  )
  return [...alone, ...shared]
}

type Kind = keyof typeof FILES_MAX

function kindOf(path: string, text: string, withDatabase: boolean): Kind | undefined {
  if (OWN_PROCESS.test(text)) return undefined
  const usual = /(^|\/)(routes|contract)\/[^/]+$/.test(path) || /\bservice\(\)/.test(text)
  if (usual && !OWN_PARTS.test(text)) return 'service'
  // Most files under `test` start processes; rules of the architecture read the same sources.
  if (path.startsWith('test/') && !/^test\/(architecture|kit)\//.test(path)) return undefined
  return withDatabase ? 'own' : 'computing'
}

function evenParts(files: readonly string[], max: number): string[][] {
  const parts = Math.ceil(files.length / max)
  return Array.from({ length: parts }, (_, part) => files.filter((_, index) => index % parts === part))
}

function batch(kind: Kind, paths: readonly string[]): Batch {
  const [first = '', ...rest] = paths
  const name = rest.length === 0 ? first : `${commonFolder(paths)} (${paths.length} files)`
  return { name, paths, closesEach: kind === 'own' }
}

function commonFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0] ?? '')
  while (!paths.every(path => path.startsWith(`${folder}/`))) folder = dirname(folder)
  return folder
}
