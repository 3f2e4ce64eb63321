import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyBlankDatabase } from '../kit/blank-database.ts'
import { makeDatabase, type ThrowawayDatabase } from '../kit/database.ts'
import { oncePerRun, onEnd } from './closing.ts'

/**
 * Set it to a superuser's URL of a real Postgres 15+ with pgvector to run the tests there instead of on the embedded
 * one.
 */
export const NATIVE_URL = process.env.TEST_DATABASE_URL

/** The runner migrated this database for all files to copy: a name on the native server, or a folder. */
const TEMPLATE = process.env.MNEME_TEST_TEMPLATE

/** All tests of a file share this database; isolation comes from workspaces and ids of each test's own. */
export function databaseUrl(): Promise<string> {
  return oncePerRun('database', ownDatabaseUrl)
}

/**
 * Makes a further database with all migrations applied and no rows, for tests that look at what other tests would
 * change. Without the runner there is nothing to copy, and it is empty: a service brings it to the same state.
 */
export function ownDatabaseUrl(): Promise<string> {
  return closedAtEnd(makeDatabase(NATIVE_URL, TEMPLATE))
}

/** Makes a further database with nothing in it, for tests of a first start. */
export function emptyDatabaseUrl(): Promise<string> {
  return closedAtEnd(makeDatabase(NATIVE_URL))
}

/** Makes a database on a native server, empty or a copy, dropped at the end of the run. */
export function createNative(serverUrl: string, template?: string): Promise<string> {
  return closedAtEnd(makeDatabase(serverUrl, template))
}

async function closedAtEnd(made: Promise<ThrowawayDatabase>): Promise<string> {
  const { url, close } = await made
  onEnd(close)
  return url
}

/** Makes a data folder with a database that no server has opened: a migrated one, or an empty one where there is no template. */
export async function preparedFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const database = join(folder, 'postgres')
  await (TEMPLATE ? cp(TEMPLATE, database, { recursive: true }) : copyBlankDatabase(database))
  return folder
}

/** Makes an empty folder, removed at the end of the run. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-test-'))
  onEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Makes a folder that is an embedded database without tables, which nothing has open. */
export async function blankFolder(): Promise<string> {
  const folder = await temporaryFolder()
  await copyBlankDatabase(folder)
  return folder
}
