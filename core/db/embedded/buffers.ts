import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const smallBytes = 64 * 1024 * 1024
const largeBytes = 128 * 1024 * 1024
/** Tables and indexes of this size, some 15,000 texts, need the large buffers. */
const manyBytes = 256 * 1024 * 1024

/**
 * Size of `shared_buffers` in bytes, for tables and indexes of `relationBytes`.
 *
 * All of it is taken at the start, because in PGlite's build shared memory is cleared when it is allocated; and the
 * collector of the thread counts it as its heap, so that garbage may grow as large before it is looked for. So a
 * small database takes the half of Postgres' default, in which the vectors of 15,000 texts have room. Where what
 * is scanned has none, every scan reads it again from the page cache of the system: 40 ms in place of 15 to 25 for
 * 10,000 vectors.
 */
export function sharedBuffersBytes(relationBytes: number): number {
  return relationBytes < manyBytes ? smallBytes : largeBytes
}

/** Sums the bytes of all tables and indexes of a cluster that is not open. */
export function relationBytes(clusterFolder: string): number {
  const entries = readdirSync(join(clusterFolder, 'base'), { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}
