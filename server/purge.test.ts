import { expect, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openStorage, type Storage } from '../core/db/storage.ts'
import { createLog } from '../core/log.ts'
import { ownDatabaseUrl, temporaryFolder } from '../test/support/database.ts'
import { purge } from './purge.ts'

const MARKERS = ['quokkamarkerone', 'quokkamarkertwo', 'quokkamarkerthree']

const open = (dataDir: string, databaseUrl?: string): Promise<Storage> =>
  openStorage({ databaseUrl, dataDir, poolSize: 2, log: createLog('silent'), onFatal: () => undefined })

async function writeAndDelete({ pool }: Storage): Promise<void> {
  await pool.query('create table note (id integer primary key, body text)')
  await pool.query('create index note_body on note (body)')
  await pool.query('insert into note select n, ($1::text[])[1 + n % 3] || n % 5 from generate_series(1, 300) as n', [
    MARKERS,
  ])
  await pool.query('analyze note')
  await pool.query('delete from note where id > 1')
  await pool.query("update note set body = 'kept'")
}

/** The files in a folder that hold one of the markers. */
async function filesThatTell(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of names.filter(name => name.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    if (MARKERS.some(marker => bytes.includes(marker))) found.push(path.slice(folder.length + 1))
  }
  return found
}

test('nothing that was deleted is left in the files of the embedded database, its WAL included', async () => {
  const folder = await temporaryFolder()
  const storage = await open(folder)
  await writeAndDelete(storage)
  const lines: string[] = []
  expect(await purge(storage, line => lines.push(line))).toBe(0)
  expect((await storage.pool.query('select body from note')).rows).toEqual([{ body: 'kept' }])
  await storage.close()
  expect(await filesThatTell(folder)).toEqual([])
  expect(lines[0]).toMatch(/locked against reading and writing/)
  expect(lines.at(-1)).toMatch(/^Done in .* s; the longest lock took .* s/)
})

test('any database gives the space of deleted rows back, and its rows stay', async () => {
  const storage = await open('', await ownDatabaseUrl())
  await writeAndDelete(storage)
  const size = async () => {
    const { rows } = await storage.pool.query(`select pg_total_relation_size('note')::int as bytes`)
    return Number(rows[0]?.bytes)
  }
  const before = await size()
  expect(await purge(storage, () => undefined)).toBe(0)
  expect(await size()).toBeLessThan(before)
  expect((await storage.pool.query('select body from note')).rows).toEqual([{ body: 'kept' }])
  await storage.close()
})
