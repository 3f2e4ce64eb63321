import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../support/database.ts'
import { preparedStore, run, runToEnd, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const FILES = 12

test('mneme import that is killed goes on where it stood when it is run again, and sends nothing twice', async () => {
  const server = await startServer(await preparedStore())
  const client = server.client()
  const folder = await temporaryFolder()
  for (let n = 0; n < FILES; n++) await writeFile(join(folder, `note-${n}.md`), `Locker ${n} belongs to team ${n}.`)
  const settings = { MNEME_URL: server.url, MNEME_API_KEY: server.apiKey }
  const jobs = async () => (await client.get('/v1/ingest-jobs')).body.total

  const first = run('client/mneme.ts', settings, undefined, ['import', folder, '--user', 'ada'])
  await until('some files were sent', async () => (await jobs()) > 0 || first.hasEnded())
  await first.kill()
  expect(await jobs()).toBeLessThan(FILES)

  const { code, stdout } = await runToEnd('client/mneme.ts', settings, ['import', folder, '--user', 'ada'])
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${FILES} memories of ${FILES} sources, 0 failed`)])
  expect(await jobs()).toBe(FILES)
  expect((await client.get('/v1/memories', { query: { user_id: 'ada' } })).body.total).toBe(FILES)
  expect(await server.stop()).toBe(0)
})

test('mneme import sends a large file, and says why one is refused while it is on its way', async () => {
  const server = await startServer(await preparedStore())
  const folder = await temporaryFolder()
  const settings = { MNEME_URL: server.url, MNEME_API_KEY: server.apiKey }
  const imported = async (bytes: number, own = {}) => {
    const path = join(folder, `${bytes}.txt`)
    await writeFile(path, `Locker 7 belongs to Ada.${'\n'.repeat(bytes)}`)
    const { code, stdout } = await runToEnd('client/mneme.ts', { ...settings, ...own }, ['import', path])
    return [code, stdout]
  }
  expect(await imported(2_000_000)).toEqual([0, expect.stringContaining('1 memories of 1 sources, 0 failed')])
  expect(await imported(60_000_000)).toEqual([1, expect.stringContaining('The upload is larger than 20 MB.')])
  const unknown = await imported(60_000_000, { MNEME_API_KEY: `${server.apiKey}x` })
  expect(unknown).toEqual([3, expect.stringContaining('The service does not know this key')])
  expect(await server.stop()).toBe(0)
})
