import { expect, test } from 'bun:test'
import { preparedStore, runToEnd, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const LATE = { PLUGINS: './test/hostile-plugins/late.ts' }

test('errors that a plugin leaves behind are named, counted and shown, and the server goes on', async () => {
  const server = await startServer({ ...(await preparedStore()), ...LATE })
  const client = server.client()
  for (const name of ['query', 'tenant', 'rejection', 'timer', 'file']) {
    expect((await client.get(`/v1/x/late/faults/${name}`)).status).toBe(200)
  }
  for (const name of ['job', 'subscriber', 'chore', 'check', 'hook']) {
    expect((await client.post(`/v1/x/late/parts/${name}`)).status).toBe(204)
  }
  expect((await client.post('/v1/memories', { memory: 'The lamp is lit.' })).status).toBe(201)
  const faults = async () => {
    const { body } = await client.get('/ready')
    const counted = Object.entries<{ faults?: number }>(body.details ?? {})
    return counted.reduce((sum, [, { faults = 0 }]) => sum + faults, 0) === 15 ? body : undefined
  }
  const ready = await until('all are shown: five of requests, two of each part', faults)
  // The runtime does not trace back a failing read of Bun's that nobody awaits, and the log says so.
  expect(ready).toMatchObject({ status: 'ready', checks: { 'plugin late': 'degraded' } })
  expect(ready.details['plugin late'].faults).toBeGreaterThanOrEqual(14)
  expect(server.stderr()).toContain('plugin late: a promise that nobody awaits was rejected')
  expect(server.stderr()).toContain('plugin late: an error was thrown that nobody catches')
  expect((await client.get('/metrics')).body).toContain(`plugin_faults_total{plugin="late"} 1`)
  expect(server.hasEnded()).toBe(false)
  await server.stop()
}, 120_000)

test('an error of the kernel that nobody caught ends the process in order, and nothing that was acknowledged is lost', async () => {
  const store = await preparedStore()
  const server = await startServer({ ...store, ...LATE })
  const { apiKey } = server
  const { body: memory } = await server.client().post('/v1/memories', { memory: 'The ledger is red.' })
  expect((await server.client().get('/v1/x/late/faults/kernel')).status).toBe(200)
  expect(await server.ended).toBe(1)
  expect(server.stderr()).toContain('an error of the kernel that nobody caught; the process ends')
  expect(server.stderr()).toContain('the books do not balance')
  expect(server.stderr()).toContain('late was stopped')
  expect(server.stderr()).not.toContain('could not be stopped')
  const next = await startServer(store)
  expect((await next.client(apiKey).get(`/v1/memories/${memory.id}`)).body).toMatchObject({ id: memory.id })
  await next.stop()
}, 120_000)

test('a setup that fails on the first start says who failed, and the next start still shows the secrets', async () => {
  const store = await preparedStore()
  const plugins = { ...store, PLUGINS: './test/hostile-plugins/broken-setup.ts' }
  const failed = await runToEnd('server/main.ts', { PORT: '0', ...plugins })
  expect(failed.code).toBe(1)
  expect(failed.stderr).toContain('Mneme cannot start: plugin broken: setup failed: the moon is down')
  const server = await startServer(store)
  expect([server.password.length > 0, server.apiKey.startsWith('mn_live_')]).toEqual([true, true])
  expect((await server.client().get('/v1/memories')).status).toBe(200)
  await server.stop()
}, 120_000)

test('a stop that hangs is given up, and the others and the database are stopped', async () => {
  const server = await startServer({ ...(await preparedStore()), PLUGINS: './test/hostile-plugins/hanging-stop.ts' })
  expect(await server.stop()).toBe(0)
  expect(server.stderr()).toContain('plugin hanging: stop did not end within')
}, 120_000)
