import { expect, test } from 'bun:test'
import { ENCRYPTION_KEY } from '../support/accounts.ts'
import { NATIVE_URL, ownDatabaseUrl } from '../support/database.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { startServer, startWorker } from '../support/process.ts'
import { until } from '../support/wait.ts'
import { newWriting, readProcessed, write } from './writers.ts'

// The embedded database lives and dies with its server, so only a real one can go away and come back.
const native = NATIVE_URL
if (native) {
  test('a database that goes away and comes back costs 503 meanwhile, no process and no job', async () => {
    const proxy = await flakyProxy(await ownDatabaseUrl())
    const settings = { DATABASE_URL: proxy.url, ENCRYPTION_KEY }
    const server = await startServer({ ...settings, LOG_LEVEL: 'silent' })
    const worker = await startWorker({ ...settings, LOG_LEVEL: 'silent' })
    const client = server.client()
    const writing = newWriting()

    for (let round = 0; round < 3; round++) {
      const writers = write(client, writing, 8, 200)
      await until('writes are acknowledged', async () => writing.acknowledged.length > (round + 1) * 50)
      await proxy.cut()
      await writers

      const id = writing.acknowledged[0]?.id
      const responses = await Promise.all([
        client.get(`/v1/memories/${id}`),
        client.get('/v1/memories', { query: { search: 'note' } }),
        client.post('/v1/memories', { memory: 'Lost.' }, { headers: { 'idempotency-key': 'lost' } }),
        client.post('/v1/memories/batch', { memories: [{ memory: 'Lost too.' }] }),
        client.post('/v1/auth/sign-in/email', { email: server.email, password: server.password }),
        client.with({ 'x-api-key': `mn_live_${'x'.repeat(30)}` }).get('/v1/memories'),
      ])
      for (const response of responses) {
        expect(response).toMatchObject({ status: 503, body: { status_code: 503, error_code: 'SERVICE_UNAVAILABLE' } })
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(JSON.stringify(response.body)).not.toMatch(/ECONN|postgres|127\.0\.0\.1/)
      }
      expect((await client.get('/health')).status).toBe(200)
      expect(await client.get('/ready')).toMatchObject({ status: 503, body: { checks: { database: 'failed' } } })

      await proxy.mend()
      await until('the service is ready again', async () => (await client.get('/ready')).status === 200)
    }

    // A writer under way when the database went gets 503, never 500.
    expect(new Set(writing.refused)).toEqual(new Set([503]))
    const stored = new Set((await readProcessed(client, 240_000)).map(({ id }) => id))
    expect(writing.acknowledged.filter(({ id }) => !stored.has(id))).toEqual([])
    expect([server.hasEnded(), worker.hasEnded()]).toEqual([false, false])
    expect(await worker.stop()).toBe(0)
    expect(await server.stop()).toBe(0)
    await proxy.close()
  }, 420_000)

  test('a login that is refused while its password is changed costs 503 meanwhile, and no memory', async () => {
    const proxy = await flakyProxy(await ownDatabaseUrl())
    const server = await startServer({ DATABASE_URL: proxy.url, ENCRYPTION_KEY, LOG_LEVEL: 'silent' })
    const client = server.client()
    const writing = newWriting()
    const writers = write(client, writing, 8, 100)
    await until('writes are acknowledged', async () => writing.acknowledged.length > 20)
    proxy.refuseLogins('28P01')
    const id = writing.acknowledged[0]?.id
    for (const response of await Promise.all([
      client.get(`/v1/memories/${id}`),
      client.post('/v1/memories', { memory: 'Lost.' }),
      client.post('/v1/auth/sign-in/email', { email: server.email, password: server.password }),
    ])) {
      expect(response).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } })
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    await writers
    proxy.refuseLogins(undefined)
    const stored = new Set((await readProcessed(client, 240_000)).map(({ id }) => id))
    expect(writing.acknowledged.filter(({ id }) => !stored.has(id))).toEqual([])
    expect(new Set(writing.refused)).toEqual(new Set([503]))
    expect(await server.stop()).toBe(0)
    await proxy.close()
  }, 300_000)

  test('a server whose database is away stops all the same', async () => {
    const proxy = await flakyProxy(await ownDatabaseUrl())
    const server = await startServer({ DATABASE_URL: proxy.url, ENCRYPTION_KEY, LOG_LEVEL: 'silent' })
    await proxy.cut()
    expect([0, 1]).toContain(Number(await server.stop()))
  })
}
