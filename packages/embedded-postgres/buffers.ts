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

/**
 * Makes functions of the extension pg_buffercache for the session alone, so that the database keeps nothing of it. They may be used by
 * superusers only.
 */
export const bufferFunctions = `
  create function pg_temp.buffers() returns setof record language c as '$libdir/pg_buffercache', 'pg_buffercache_pages';
  create function pg_temp.evict(integer, out evicted boolean, out flushed boolean) language c
    as '$libdir/pg_buffercache', 'pg_buffercache_evict';
  revoke execute on function pg_temp.buffers(), pg_temp.evict(integer) from public`

/** Selects the numbers of the buffers that hold changes. */
export const changedBuffers = `
  select buffer.id
  from pg_temp.buffers() as buffer (
    id integer, relfilenode oid, reltablespace oid, reldatabase oid, relforknumber smallint, relblocknumber bigint, changed boolean,
    usagecount smallint, pinning_backends integer
  )
  where buffer.changed`

/**
 * Makes a statement that writes buffers to their files. They are free then, as Postgres has no function that writes and keeps them; what
 * is needed again is read from the page cache of the system.
 */
export function writeBuffers(buffers: readonly number[]): string {
  return `select count(pg_temp.evict(id)) from unnest('{${buffers.join()}}'::integer[]) as id`
}
