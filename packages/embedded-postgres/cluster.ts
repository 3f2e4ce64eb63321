import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_buffercache } from '@electric-sql/pglite/contrib/pg_buffercache'
import { vector } from '@electric-sql/pglite-pgvector'
import { Backend, type PostgresModule } from './backend.ts'
import { bufferFunctions, relationBytes, sharedBuffersBytes } from './buffers.ts'
import { DurableFiles } from './durable-files.ts'
import { clusterFolder, unfinishedClusterFolder } from './folder.ts'

/** Major version of the Postgres inside the pinned PGlite; its files cannot be read by another one. */
const majorVersion = '18'

const sharedParameters = PGlite.defaultStartParams.filter(parameter => parameter !== '-F')

/**
 * Without `-F` fsync is on. `wal_sync_method=fsync` is what reaches the file system (see DurableFiles).
 * `max_stack_depth` makes deep recursion an SQL error before it overflows the JavaScript stack, which would crash the
 * backend.
 */
function startParams(folder: string): string[] {
  const buffers = `${sharedBuffersBytes(relationBytes(folder)) / 1024}kB`
  const settings = ['wal_sync_method=fsync', 'jit=off', 'max_stack_depth=200kB', `shared_buffers=${buffers}`]
  return [...sharedParameters, ...settings.flatMap(setting => ['-c', setting])]
}

export interface OpenCluster {
  backend: Backend
  files: DurableFiles
  /** A new connection is told these values, as ParameterStatus messages. */
  parameters: [name: string, value: string][]
  /** Shuts Postgres down with a checkpoint. */
  close(): Promise<void>
}

/**
 * Makes a new database, all or nothing: under another name, synced to the disk, and moved into place at the end. A
 * crash before that leaves only a folder that the next attempt removes.
 */
export async function createCluster(folder: string, module: WebAssembly.Module): Promise<void> {
  const unfinished = unfinishedClusterFolder(folder)
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  const database = await PGlite.create({ dataDir: unfinished, extensions: { vector }, pgliteWasmModule: module })
  await database.close()
  await syncTree(unfinished)
  renameSync(unfinished, clusterFolder(folder))
  await syncFolder(folder)
}

/** Opens the database that `createCluster` made, recovering it when it was not shut down. */
export async function openCluster(
  folder: string,
  module: WebAssembly.Module,
  outputMaxBytes: number,
): Promise<OpenCluster> {
  const version = readFileSync(join(clusterFolder(folder), 'PG_VERSION'), 'utf8').trim()
  if (version !== majorVersion) {
    throw new Error(`The database in ${folder} was made by Postgres ${version}; this release runs ${majorVersion}.`)
  }
  const files = new DurableFiles(clusterFolder(folder))
  try {
    return await openFiles(files, module, startParams(clusterFolder(folder)), outputMaxBytes)
  } catch (error) {
    files.abandon()
    throw error
  }
}

async function openFiles(
  files: DurableFiles,
  module: WebAssembly.Module,
  startParams: string[],
  outputMaxBytes: number,
): Promise<OpenCluster> {
  const extensions = { vector, pg_buffercache }
  const database = await PGlite.create({ fs: files, extensions, pgliteWasmModule: module, startParams })
  const { rows } = await database.query<{ name: string; setting: string }>(
    'select name, setting from pg_catalog.pg_settings where name = any($1)',
    [reportedParameters],
  )
  await database.query(noTemporaryObjects)
  await database.exec(bufferFunctions)
  files.settle()
  if (!isComplete(database.Module)) throw new Error('unexpected build of PGlite: its module lacks what is driven here')
  const backend = new Backend(database.Module, outputMaxBytes)
  const close = async () => {
    await database.close()
    files.settle()
  }
  return { backend, files, parameters: rows.map(row => [row.name, row.setting]), close }
}

/**
 * All clients share one session. A function or view that a request's client could make there under a temporary name might be found by a
 * statement of the owner, and run with the owner's rights.
 */
const noTemporaryObjects = 'revoke temporary on database postgres from public'

const reportedParameters = [
  'server_version',
  'server_encoding',
  'client_encoding',
  'is_superuser',
  'DateStyle',
  'IntervalStyle',
  'TimeZone',
  'integer_datetimes',
  'standard_conforming_strings',
]

/** The package's types leave out Emscripten's half of the module. */
function isComplete<Module extends object>(module: Module): module is Module & Untyped {
  return (
    'HEAPU8' in module &&
    module.HEAPU8 instanceof Uint8Array &&
    '_SetUserIdAndSecContext' in module &&
    typeof module._SetUserIdAndSecContext === 'function'
  )
}

type Untyped = Pick<PostgresModule, 'HEAPU8' | '_SetUserIdAndSecContext'>

/**
 * Brings a folder and all in it to the disk. It works concurrently, because a journaling file system writes many
 * waiting files at once.
 */
async function syncTree(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const folders = entries.filter(entry => entry.isDirectory()).map(entry => join(entry.parentPath, entry.name))
  const workers = Array.from({ length: 16 }, async () => {
    for (let path = files.pop(); path !== undefined; path = files.pop()) await syncPath(path, 'r+')
  })
  await Promise.all(workers)
  for (const path of [root, ...folders]) await syncFolder(path)
}

/** Brings the names in a folder to the disk, after a file in it was made or renamed. */
async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders; there the file system itself keeps their entries safe.
  if (process.platform !== 'win32') await syncPath(path, 'r')
}

async function syncPath(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
