import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { messageOf } from '../failure-reason.ts'
import { VERSION } from '../version.ts'
import type { Database, Tx } from './database.ts'
import { migrationFaults } from './migration-rules.ts'
import type { ParsedSql } from './parsed-sql.ts'
import { tenantTableFaults } from './tenant-tables.ts'

/** One numbered SQL file of an owner: `core`, or a plugin by the name of its schema (a checked, plain identifier). */
export interface Migration {
  readonly owner: string
  readonly name: string
  readonly hash: string
  readonly sql: string
}

/** The database and the code disagree; the message says how. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** Serialises migrations of servers that start together; the number is arbitrary but ours. */
const MIGRATION_LOCK = 7_204_118_001

const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/

/** Reads an owner's files in order. A file that does not match `NNNN_verb_noun.sql` is an error, not a surprise later. */
export async function readMigrations(owner: string, folder: URL): Promise<Migration[]> {
  const path = fileURLToPath(folder)
  const names = (await filesOf(owner, path)).filter(name => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async name => {
      if (!FILE_NAME.test(name)) throw new MigrationError(`${whose(owner)}: ${name} is not named NNNN_verb_noun.sql`)
      const sql = await readFile(`${path}/${name}`, 'utf8')
      return { owner, name, sql, hash: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function filesOf(owner: string, path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    const reason =
      "its folder of migrations does not exist; `migrations` names it, e.g. `new URL('./sql/', import.meta.url)`"
    throw new MigrationError(`${whose(owner)}: ${reason} (${path})`, { cause: error })
  }
}

/** A third party's schema is its id after this. */
const THIRD_PARTY = 'x_'

function whose(owner: string): string {
  if (owner === 'core') return owner
  return `plugin ${owner.startsWith(THIRD_PARTY) ? owner.slice(THIRD_PARTY.length) : owner}`
}

/** Begins messages that are about a file. */
function fileOf({ owner, name }: Pick<Migration, 'owner' | 'name'>): string {
  return owner === 'core' ? `core/${name}` : `${whose(owner)}: ${name}`
}

/**
 * Brings the database to the code's state: each file in a transaction of its own, under one advisory lock.
 * Refuses a database with files the code does not have, and code whose applied files were edited.
 * @returns how many files were applied
 */
export async function migrate(
  database: Database,
  owners: readonly string[],
  migrations: readonly Migration[],
): Promise<number> {
  const applied = await database.system(async tx => {
    await lock(tx)
    await tx`create schema if not exists core`
    await tx`
      create table if not exists core.migration (
        owner text not null,
        name text not null,
        hash text not null,
        fileat timestamptz not null default now(),
        constraint migration_pk primary key (owner, name)
      )`
    await forgetDropped(tx, owners)
    return readApplied(tx)
  })
  check(owners, migrations, applied)
  const missing = migrations.filter(migration => !applied.has(key(migration)))
  const checked = missing.filter(({ owner }) => owner !== 'core')
  const parsed = await parseSql(checked.map(({ sql }) => sql))
  for (const migration of missing) {
    refuse(migration, migrationFaults(migration.owner, parsed[checked.indexOf(migration)]))
    await apply(database, migration)
  }
  return missing.length
}

function refuse({ owner, name }: Migration, faults: readonly string[]): void {
  if (faults.length > 0) throw new MigrationError(faults.map(fault => `${whose(owner)}: ${name}: ${fault}`).join('\n'))
}

async function refuseUnprotected(tx: Tx, migration: Migration): Promise<void> {
  if (migration.owner !== 'core') refuse(migration, await tenantTableFaults(tx, migration.owner))
}

async function apply(database: Database, migration: Migration): Promise<void> {
  await database.system(async tx => {
    await lock(tx)
    // Another server may have been faster while this one waited for the lock.
    const [done] = await tx`select 1 from core.migration where owner = ${migration.owner} and name = ${migration.name}`
    if (done) return
    if (migration.owner !== 'core') await tx.unsafe(`create schema if not exists ${migration.owner}`)
    try {
      // Citus would pass the making of an extension that is there on to its nodes, as a role that may make none.
      const made = await tx<{ statement: string }[]>`
        select 'create extension if not exists ' || extname || ';' as statement from pg_extension`
      await tx.unsafe(made.reduce((sql, { statement }) => sql.replace(statement, ''), migration.sql)).simple()
    } catch (error) {
      const reason = messageOf(error)
      throw new MigrationError(`${fileOf(migration)} failed${lineOf(error, migration)}: ${reason}`, { cause: error })
    }
    // Settings that a block or a function of the file made would stay with the connection, which others get next.
    await tx.unsafe('reset all; reset role').simple()
    await refuseUnprotected(tx, migration)
    await tx`
      insert into core.migration (owner, name, hash)
      values (${migration.owner}, ${migration.name}, ${migration.hash})`
  })
}

/** The line that Postgres found the fault in, where it says so. */
function lineOf(error: unknown, { sql }: Migration): string {
  const position = Number(Object(error) === error ? Reflect.get(Object(error), 'position') : undefined)
  if (!Number.isInteger(position) || position < 1) return ''
  // Postgres counts characters, not UTF-16 units.
  return ` in line ${[...sql].slice(0, position - 1).filter(character => character === '\n').length + 1}`
}

async function lock(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`
}

/** Somebody who drops a third party's schema wants to start over, so that all of its files are missing again. */
async function forgetDropped(tx: Tx, owners: readonly string[]): Promise<void> {
  for (const owner of owners.filter(name => name.startsWith(THIRD_PARTY))) {
    await tx`delete from core.migration where owner = ${owner} and to_regnamespace(${owner}) is null`
  }
}

async function readApplied(tx: Tx): Promise<Map<string, string>> {
  const rows = await tx<{ owner: string; name: string; hash: string }[]>`select owner, name, hash from core.migration`
  return new Map(rows.map(row => [key(row), row.hash]))
}

/** The hashes of the files that were applied, by `owner/name`; undefined where no server ever started. */
export function appliedTo(database: Database): Promise<Map<string, string> | undefined> {
  return database.system(async tx => {
    const [found] = await tx`select to_regclass('core.migration') is not null as is_there`
    return found?.is_there ? readApplied(tx) : undefined
  })
}

function check(
  owners: readonly string[],
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): void {
  const known = new Map(migrations.map(migration => [key(migration), migration.hash]))
  for (const [file, hash] of applied) {
    const [owner = '', name = ''] = file.split('/')
    if (!owners.includes(owner)) continue
    const here = known.get(file)
    if (here === undefined) throw new MigrationError(isNewer({ owner, name }))
    if (here !== hash) {
      throw new MigrationError(
        `${fileOf({ owner, name })} was edited after it was applied. ${owner === 'core' ? OTHER_CORE : OTHER_FILE}`,
      )
    }
  }
}

const OTHER_FILE = 'Restore the file and put the change into a new one.'
/** An operator meets this with another version than that which made the database, a developer with an edited file. */
const OTHER_CORE = `The database was made by another version of Mneme than this, which is ${VERSION}: start that version, or export with it and import into a new database. If you edited the file yourself, restore it and put the change into a new one.`

function isNewer(file: Pick<Migration, 'owner' | 'name'>): string {
  return file.owner === 'core'
    ? `the database is newer than this version of Mneme: it has ${fileOf(file)}. Start a version that knows it.`
    : `${fileOf(file)} is in the database and not in the plugin's folder. Start a version that has it.`
}

function key(migration: { owner: string; name: string }): string {
  return `${migration.owner}/${migration.name}`
}

/**
 * Parses texts with the parser of Postgres itself, in a thread that ends with it: the parser reserves 128 MB, and while they
 * are there the collector of garbage lets this process grow by twice as much before it begins.
 */
export async function parseSql(texts: readonly string[]): Promise<ParsedSql[]> {
  if (texts.length === 0) return []
  const worker = new Worker(new URL('./sql-parser-thread.ts', import.meta.url), { workerData: texts })
  try {
    return await new Promise<ParsedSql[]>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', code => reject(new Error(`the parser of migrations ended with ${code}`)))
    })
  } finally {
    await worker.terminate()
  }
}
