import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files that one process runs, one after the other. */
export interface Batch {
  /** The path of its file, or the folder that its files have in common and how many they are. */
  readonly name: string
  readonly paths: readonly string[]
}

/** A process of so many files stays well below two gigabytes, and no worker is left with a long batch at the end. */
const FILES_MAX = 5

/** A test that makes any of these of its own looks at more than its own workspace, or changes what others meet. */
const OWN_PARTS =
  /\b(startService|idleService|runService|ownDatabaseUrl|emptyDatabaseUrl|controlPlane|setupServer|useFakeTimers|mock|process\.env)\b/

/**
 * Puts files together that need nothing but the shared service, those of one plugin or of one folder of `test`: to start it takes longer
 * than most of them. Each other file has a process of its own.
 */
export function batchesOf(root: string, paths: readonly string[]): Batch[] {
  const sharing = new Map<string, string[]>()
  const alone: Batch[] = []
  for (const path of paths) {
    if (!sharesService(path, readFileSync(join(root, path), 'utf8'))) alone.push(batch([path]))
    else {
      const place = path.split('/').slice(0, 2).join('/')
      sharing.set(place, [...(sharing.get(place) ?? []), path])
    }
  }
  return [...alone, ...[...sharing.values()].flatMap(files => evenParts(files).map(batch))]
}

function sharesService(path: string, text: string): boolean {
  const asks = /(^|\/)(routes|contract)\/[^/]+$/.test(path) || /\bservice\(\)/.test(text)
  return asks && !OWN_PARTS.test(text)
}

function evenParts(files: readonly string[]): string[][] {
  const parts = Math.ceil(files.length / FILES_MAX)
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
