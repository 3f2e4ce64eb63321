import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbedded } from '../../core/db/embedded/index.ts'
import { oncePerRun, onEnd } from './closing.ts'

/** Set to a superuser's URL of a real Postgres 15+ with pgvector to run the tests there instead of on the embedded one. */
export const NATIVE_URL = process.env.TEST_DATABASE_URL

/** The database all tests of a run share; isolation comes from workspaces and ids of each test's own. */
export function databaseUrl(): Promise<string> {
  return oncePerRun('database', () => (NATIVE_URL ? createNative(NATIVE_URL) : createEmbedded()))
}

/** An empty database of a native server, dropped at the end of the run. */
export async function createNative(serverUrl: string): Promise<string> {
  const name = `mneme_test_${randomUUID().replaceAll('-', '')}`
  await administer(serverUrl, `create database ${name}`)
  onEnd(() => administer(serverUrl, `drop database if exists ${name} with (force)`))
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function createEmbedded(): Promise<string> {
  const folder = await temporaryFolder()
  const embedded = await startEmbedded({ folder: join(folder, 'postgres') })
  onEnd(() => embedded.stop())
  return embedded.url
}

/** An empty folder, removed at the end of the run. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-test-'))
  onEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 2 })
  }
}
