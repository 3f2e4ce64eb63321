import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files that one process runs, one after the other. */
export interface Batch {
  /** The path of its file, or the folder that its files have in common and how many they are. */
  readonly name: string
  readonly paths: readonly string[]
}

/** A process of so many files stays well below two gigabytes, and no worker is left with a long batch at the end. */
const FILES_MAX = { service: 8, computing: 16 }

/** A test that has any of these looks at more than its own workspace, or changes what others meet. */
const OWN_PARTS =
  /\b(startService|idleService|runService|ownDatabaseUrl|emptyDatabaseUrl|controlPlane|setupServer|useFakeTimers|mock|process\.env)\b/

/**
 * Puts files together that need nothing but the shared service, and those that need no database at all, of one plugin or of one folder:
 * to start a process, and the service in it, takes longer than most of them. Each other file has a process of its own.
 *
 * @param withDatabase those of `paths` that may ask for a database
 */
export function batchesOf(root: string, paths: readonly string[], withDatabase: ReadonlySet<string>): Batch[] {
  const sharing = new Map<string, { readonly max: number; readonly files: string[] }>()
  const alone: Batch[] = []
  for (const path of paths) {
    const kind = kindOf(path, readFileSync(join(root, path), 'utf8'), withDatabase.has(path))
    if (kind === undefined) {
      alone.push(batch([path]))
      continue
    }
    const place = `${kind} ${path.split('/').slice(0, 2).join('/')}`
    const group = sharing.get(place) ?? { max: FILES_MAX[kind], files: [] }
    group.files.push(path)
    sharing.set(place, group)
  }
  return [...alone, ...[...sharing.values()].flatMap(({ max, files }) => evenParts(files, max).map(batch))]
}

/** Most files under `test` start processes of their own; rules of the architecture read the same sources. */
function kindOf(path: string, text: string, withDatabase: boolean): keyof typeof FILES_MAX | undefined {
  if (OWN_PARTS.test(text)) return undefined
  if (/(^|\/)(routes|contract)\/[^/]+$/.test(path) || /\bservice\(\)/.test(text)) return 'service'
  const startsProcesses = path.startsWith('test/') && !path.startsWith('test/architecture/')
  return withDatabase || startsProcesses ? undefined : 'computing'
}

function evenParts(files: readonly string[], max: number): string[][] {
  const parts = Math.ceil(files.length / max)
  return Array.from({ length: parts }, (_, part) => files.filter((_, index) => index % parts === part))
}

function batch(paths: readonly string[]): Batch {
  const [first = '', ...rest] = paths
  if (rest.length === 0) return { name: first, paths }
  return { name: `${commonFolder(paths)} (${paths.length} files)`, paths }
}

function commonFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0] ?? '')
  while (!paths.every(path => path.startsWith(`${folder}/`))) folder = dirname(folder)
  return folder
}
