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
