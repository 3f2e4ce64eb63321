import { afterAll, beforeAll, expect, test } from 'bun:test'
import { NATIVE_URL } from '../support/database.ts'
import { emptyStore, type ServerProcess, type Settings, startServer, startWorker } from '../support/process.ts'
import { until } from '../support/wait.ts'
import { newWriting, readProcessed, write } from './writers.ts'

// Several processes need a database that several can open.
if (NATIVE_URL) {
  let store: Settings
  let one: ServerProcess
  let two: ServerProcess
  let worker: Awaited<ReturnType<typeof startWorker>>

  beforeAll(async () => {
    store = { ...(await emptyStore()), WORKERS: 'none' }
    // They start together on an empty database, where migrations and the first account are made once.
    ;[one, two] = await Promise.all([startServer(store), startServer(store)])
    worker = await startWorker({ ...store, WORKERS_PORT: '0', METRICS_TOKEN: 'token-of-metrics' })
  })

  const apiKey = () => one.apiKey || two.apiKey

  test('two servers that start together on an empty database make one account between them', () => {
    expect([one.apiKey, two.apiKey].filter(Boolean)).toHaveLength(1)
  })

  test('what one server takes, the other shows at once, and a worker processes', async () => {
    const made = await one.client(apiKey()).post('/v1/memories', { memory: 'Grace likes to sail on Sundays.' })
    expect(made.status).toBe(201)
    expect((await two.client(apiKey()).get(`/v1/memories/${made.body.id}`)).body.memory).toBe(made.body.memory)
    await until('the memory is processed', async () => {
      return (await two.client(apiKey()).get(`/v1/memories/${made.body.id}`)).body.status === 'COMPLETED'
    })
    const query = { search: 'hobbies at the weekend with a boat', mode: 'semantic' }
    expect((await two.client(apiKey()).get('/v1/memories', { query })).body.data[0]?.id).toBe(made.body.id)
  })

  test('a worker tells its health and its metrics, and answers nothing else', async () => {
    const get = (path: string, headers = {}) => fetch(worker.url + path, { headers })
    expect((await get('/health')).status).toBe(200)
    const ready = await get('/ready')
    expect([ready.status, (await ready.json()).checks.queue]).toEqual([200, 'ok'])
    expect((await get('/metrics')).status).toBe(401)
    const metrics = await (await get('/metrics', { authorization: 'Bearer token-of-metrics' })).text()
    // It has processed the memory of the test before.
    expect(metrics).toMatch(/^mneme_job_attempt_duration_seconds_count\{[^}]*task="memories:process"[^}]*\} [1-9]/m)
    for (const path of ['/v1/memories', '/openapi.json', '/v1/auth/get-session']) {
      expect((await get(path, { 'x-api-key': apiKey() })).status).toBe(404)
    }
  })

  test('an idempotent request that both servers get at once is done once', async () => {
    const body = { memory: 'Linus feeds the penguins at noon.' }
    const headers = { 'idempotency-key': 'both-at-once' }
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? one : two).client(apiKey()).post('/v1/memories', body, { headers }),
      ),
    )
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  })

  test('the same text sent to both at once is stored once', async () => {
    const body = { memory: 'Barbara reads on the night train.' }
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? one : two).client(apiKey()).post('/v1/memories', body)),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
  })

  test('a key revoked on one server is refused by the other within seconds', async () => {
    const owner = one.apiKey ? one : two
    const session = await owner.client('').signIn(owner.email, owner.password)
    const workspace = (await session.get('/v1/workspaces')).body.data[0].id
    const body = { name: 'short-lived', workspace_id: workspace, permissions: ['memory.read'] }
    const made = await session.post('/v1/api-keys', body)
    expect(made.status).toBe(201)
    for (const server of [one, two]) expect((await server.client(made.body.key).get('/v1/memories')).status).toBe(200)
    expect((await session.delete(`/v1/api-keys/${made.body.id}`)).status).toBe(204)
    for (const server of [one, two]) {
      await until(
        'the key is refused',
        async () => (await server.client(made.body.key).get('/v1/memories')).status === 401,
        20_000,
      )
    }
  })

  test("a killed worker's jobs are done by others once its lease has run out", async () => {
    const writing = newWriting()
    await write(one.client(apiKey()), writing, 8, 20)
    await worker.kill()
    worker = await startWorker(store)
    const stored = await readProcessed(two.client(apiKey()), 120_000)
    const ids = new Set(stored.map(({ id }) => id))
    expect(writing.acknowledged.filter(({ id }) => !ids.has(id))).toEqual([])
  }, 180_000)

  test('a stopped worker gives its jobs back at once', async () => {
    await write(one.client(apiKey()), newWriting(), 8, 10)
    expect(await worker.stop()).toBe(0)
    worker = await startWorker(store)
    await readProcessed(two.client(apiKey()), 120_000)
  }, 180_000)

  afterAll(async () => {
    expect(await Promise.all([worker.stop(), one.stop(), two.stop()])).toEqual([0, 0, 0])
  })
}
