import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from 'served-pglite'
import { copyBlankDatabase } from './blank-database.ts'
import { openHosted } from './hosted-database.ts'
import { createDatabase, dropDatabase } from './native-server.ts'

/** A database that nothing else uses, gone for good once it is closed. */
export interface ThrowawayDatabase {
  readonly url: string
  close(): Promise<void>
}

/**
 * Makes a database on the server at `serverUrl`, or an embedded one in a temporary folder.
 * @param template what it is a copy of: a database of that server, or the folder of a closed embedded one
 */
export function makeDatabase(serverUrl: string | undefined, template?: string): Promise<ThrowawayDatabase> {
  return serverUrl ? onServer(serverUrl, template) : embedded(template)
}

async function onServer(serverUrl: string, template?: string): Promise<ThrowawayDatabase> {
  const name = `${process.env.MNEME_TEST_RUN ?? 'mneme_test'}_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const url = await createDatabase(serverUrl, name, template)
  return { url, close: () => dropDatabase(serverUrl, name) }
}

async function embedded(template?: string): Promise<ThrowawayDatabase> {
  const parent = await mkdtemp(join(tmpdir(), 'mneme-test-'))
  const folder = join(parent, 'postgres')
  if (template) await cp(template, folder, { recursive: true })
  else await copyBlankDatabase(folder)
  const host = process.env.MNEME_TEST_DATABASES
  const database = await (host ? openHosted(host, folder) : startEmbedded({ folder }))
  return {
    url: database.url,
    async close() {
      await database.stop()
      await rm(parent, { recursive: true, force: true })
    },
  }
}
