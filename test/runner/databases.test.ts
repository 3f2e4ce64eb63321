import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { startEmbedded } from 'served-pglite'
import { openHosted } from '../kit/hosted-database.ts'
import { temporaryFolder } from '../support/database.ts'
import { until } from '../support/wait.ts'
import { type DatabaseHost, startDatabaseHost } from './databases.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

let host: DatabaseHost
let socket: string

beforeAll(async () => {
  host = await startDatabaseHost(ROOT, await temporaryFolder())
  socket = host.environment.MNEME_TEST_DATABASES ?? ''
})

afterAll(async () => {
  await host.stop()
})

async function tablesOf(url: string, statement: string): Promise<string[]> {
  const sql = postgres(url, { max: 1 })
  try {
    await sql.unsafe(statement)
    const rows = await sql<{ name: string }[]>`select relname as name from pg_class where relname like 'probe%'`
    return rows.map(({ name }) => name)
  } finally {
    await sql.end()
  }
}

/** Resolves once nobody holds the database any more. */
async function isFree(folder: string): Promise<boolean> {
  const database = await startEmbedded({ folder }).catch(() => undefined)
  await database?.stop()
  return database !== undefined
}

describe('the host of the databases', () => {
  test('opens a database for each client, and gives its folder back when the client is done', async () => {
    const [first, second] = [join(await temporaryFolder(), 'one'), join(await temporaryFolder(), 'two')]
    const [one, two] = await Promise.all([openHosted(socket, first), openHosted(socket, second)])
    expect(await tablesOf(one.url, 'create table probe_one ()')).toEqual(['probe_one'])
    expect(await tablesOf(two.url, 'create table probe_two ()')).toEqual(['probe_two'])
    await Promise.all([one.stop(), two.stop()])
    const again = await startEmbedded({ folder: first })
    expect(await tablesOf(again.url, 'select 1')).toEqual(['probe_one'])
    await again.stop()
  })

  test('gives the folder of a client back that was killed', async () => {
    const folder = join(await temporaryFolder(), 'killed')
    const client = createConnection(socket)
    client.write(`${folder}\n`)
    await new Promise(resolve => client.once('data', resolve))
    expect(await isFree(folder)).toBe(false)
    client.resetAndDestroy()
    await until('the folder is free', () => isFree(folder))
  })

  test('says why it cannot open a database', async () => {
    const folder = join(await temporaryFolder(), 'taken')
    const holder = await openHosted(socket, folder)
    expect(openHosted(socket, folder)).rejects.toThrow(/in use|another/i)
    await holder.stop()
  })
})
