import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/database.ts'
import { documentedFile } from '../support/documented.ts'
import { preparedStore, RUNTIME, run, startInTerminal, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'
import { Connection, headOf } from '../transfers/connection.ts'
import { newWriting, readProcessed, write } from './writers.ts'

describe('SIGTERM', () => {
  test('under load ends the server with 0 and loses nothing that was acknowledged', async () => {
    const store = await preparedStore()
    const server = await startServer(store)
    const writing = newWriting()
    const writers = write(server.client(), writing, 16, 10_000)
    await until('some writes are acknowledged', async () => writing.acknowledged.length > 100)
    // A stop that takes longer ends itself with 1.
    expect(await server.stop()).toBe(0)
    await writers
    // A server that is stopping refuses connections, or says that it is not available; it never fails.
    expect(writing.refused.filter(status => status !== 503)).toEqual([])

    const next = await startServer(store)
    const stored = await readProcessed(next.client(server.apiKey), 240_000)
    const texts = new Map(stored.map(({ id, memory }) => [id, memory]))
    expect(writing.acknowledged.filter(({ id, text }) => texts.get(id) !== text)).toEqual([])
    expect(await next.stop()).toBe(0)
  }, 300_000)

  test('on an idle server waits for nothing', async () => {
    const server = await startServer(await preparedStore())
    const asked = performance.now()
    expect(await server.stop()).toBe(0)
    // Requests and jobs under way are given so long.
    expect(performance.now() - asked).toBeLessThan(7500)
  })

  test('lets a request that is under way end with its response', async () => {
    const server = await startServer(await preparedStore())
    const body = Buffer.from(JSON.stringify({ memory: 'Ada keeps bees on a roof in Lisbon.' }))
    const connection = new Connection(Number(new URL(server.url).port))
    const headers = { 'x-api-key': server.apiKey, 'content-type': 'application/json', 'content-length': body.length }
    await connection.write(headOf('POST', '/v1/memories', headers))
    await connection.write(body.subarray(0, 10))
    // Each of these gets its response before the next is sent, so the request before them has arrived by then.
    for (let n = 0; n < 3; n++) expect((await server.client().get('/health')).status).toBe(200)
    const ended = server.stop()
    await until(
      'no request is taken',
      async () =>
        (await server
          .client()
          .get('/health')
          .catch(() => undefined)) === undefined,
    )
    await connection.write(body.subarray(10))
    expect(await connection.head()).toStartWith('HTTP/1.1 201')
    expect(await ended).toBe(0)
  })

  test('lets a download end with its last byte, and never closes the database under it', async () => {
    const library = await documentedFile('library.ts')
    const server = await startServer({ ...(await preparedStore()), PLUGINS: library })
    const content = new Uint8Array(8 * 1024 * 1024).fill(0x61)
    content.set(new TextEncoder().encode('%PDF'))
    const form = new FormData()
    form.append('name', 'long')
    form.append('file', new Blob([content]), 'long.pdf')
    const { body } = await server.client().request('POST', '/v1/x/library/documents', { raw: form })
    const headers = { 'x-api-key': server.apiKey }
    const response = await fetch(`${server.url}/v1/x/library/documents/${body.id}`, { headers })
    const ended = server.stop()
    expect((await response.arrayBuffer()).byteLength).toBe(content.length)
    expect(await ended).toBe(0)
    expect(server.stderr()).not.toContain('download broke off')
  })
})

test('SIGTERM during the start ends a process with 0, and it never begins to work', async () => {
  const settings = { ...(await preparedStore()), PORT: '0', PLUGINS: './test/fixtures/slow-start.ts' }
  const server = run('server/main.ts', settings)
  await until('it starts', async () => server.stdout().includes('The set-up begins.'))
  expect(await server.stop()).toBe(0)
  expect(server.stdout()).not.toContain('listens')
})

test('SIGTERM while the embedded database is made ends a process with 0', async () => {
  const folder = await temporaryFolder()
  const server = run('server/main.ts', { DATA_DIR: folder, PORT: '0' })
  await until('the database is being made', async () => existsSync(join(folder, 'postgres')))
  expect(await server.stop()).toBe(0)
  expect(server.stdout()).not.toContain('listens')
})

/** Bun loads the imports of an entry, so that a preload can keep it from that. */
if (RUNTIME === 'bun') {
  test('Ctrl-C on the documented command ends it with 0 and without a complaint, after short lines, and what was counted is kept', async () => {
    const store = await preparedStore()
    const server = await startInTerminal(store)
    const client = server.client()
    for (let n = 0; n < 21; n++) expect((await client.get('/v1/memories')).status).toBe(200)
    const told = server.stdout().length
    // People are told how far the start is, and not of each request.
    expect(server.stdout()).toMatch(/\[=+-+\] loading the embedding model/)
    expect(server.stdout()).not.toMatch(/^\$ |"level"|\/v1\/memories/m)
    server.press('\x03')
    expect(await server.ended).toBe(0)
    expect(server.stdout().slice(told)).not.toMatch(/error/i)

    const next = await startServer(store)
    const { body } = await next.client(server.apiKey).get('/v1/dashboard/charts/requests')
    const counted = body.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    expect(counted).toBeGreaterThanOrEqual(21)
    expect(await next.stop()).toBe(0)
  })

  for (const entry of ['server/main.ts', 'workers/main.ts']) {
    test(`SIGTERM while ${entry} still loads its modules ends the process with 0`, async () => {
      const starting = run(entry, { BUN_OPTIONS: '--preload ./test/fixtures/endless-loading.ts' })
      await until('it handles signals', async () => starting.stdout().includes('SIGTERM is handled.'))
      await until('its modules are loaded', async () => starting.stdout().includes('The kernel is being loaded.'))
      expect(await starting.stop()).toBe(0)
    })
  }
}
