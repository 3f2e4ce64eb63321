import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Batch } from './batches.ts'

/** Seconds by path. */
export type Durations = Readonly<Record<string, number>>

/** Files here need a browser: they run when a filter names the folder. */
const WITH_BROWSER = 'test/browser'

/** Paths from `root` of the test files whose path has one of `filters`, or of all. */
export function findTestFiles(root: string, filters: readonly string[]): string[] {
  const wanted = filters.map(filter =>
    filter.startsWith('/') ? relative(root, resolve(filter)) : filter.replace(/^\.\//, ''),
  )
  const leftOut = wanted.some(part => part.startsWith(WITH_BROWSER)) ? [] : [WITH_BROWSER]
  return under(root, '', ['node_modules', ...leftOut])
    .filter(path => wanted.length === 0 || wanted.some(part => path.includes(part)))
    .toSorted()
}

function under(root: string, folder: string, leftOut: readonly string[]): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || leftOut.includes(entry.name) || leftOut.includes(path)) return []
    if (entry.isDirectory()) return under(root, path, leftOut)
    return entry.name.endsWith('.test.ts') ? [path] : []
  })
}

/**
 * The longest first, so that no worker is left with a long batch when the others have ended. A file that was never run here is taken
 * to be long when it starts processes or databases, as those under `test/` do, and else by its size.
 */
export function longestFirst(root: string, batches: readonly Batch[], durations: Durations): Batch[] {
  const secondsOf = ({ paths }: Batch) =>
    paths.reduce((seconds, path) => seconds + (durations[path] ?? guess(root, path)), 0)
  const weight = new Map(batches.map(batch => [batch, secondsOf(batch)]))
  return batches.toSorted((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0))
}

/** Shares the time of a process among its files. */
export function durationsOf(results: readonly { paths: readonly string[]; ownSeconds: number }[]): Durations {
  return Object.fromEntries(
    results.flatMap(({ paths, ownSeconds }) => paths.map(path => [path, ownSeconds / paths.length] as const)),
  )
}

function guess(root: string, path: string): number {
  const kilobytes = statSync(join(root, path)).size / 1000
  return /^test\/(e2e|runtimes|postgres)\//.test(path) ? 1000 + kilobytes : kilobytes
}

/** The durations that the last runs here wrote down; none where there are none. */
export function readDurations(file: string): Durations {
  try {
    const known: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const entries = Object.entries(known ?? {}).filter(([, seconds]) => typeof seconds === 'number')
    return Object.fromEntries(entries)
  } catch {
    return {}
  }
}

/** They only order the next run, so a folder that cannot be written is no failure. */
export function writeDurations(file: string, durations: Durations): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify({ ...readDurations(file), ...durations }, undefined, 1))
  } catch {
    // The next run orders by size.
  }
}
