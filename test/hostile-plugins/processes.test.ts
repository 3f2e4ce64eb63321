import { expect, test } from 'bun:test'
import { emptyStore, runToEnd, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

test('errors that a plugin leaves behind are named, counted and shown, and the server goes on', async () => {
  const server = await startServer({ ...(await emptyStore()), PLUGINS: './test/hostile-plugins/late.ts' })
  const client = server.client()
  for (const kind of ['query', 'tenant', 'rejection', 'timer', 'file']) {
    expect((await client.get(`/v1/x/late/${kind}`)).status).toBe(200)
  }
  const faults = async () => {
    const { body } = await client.get('/ready')
    const counted = Object.entries<{ faults?: number }>(body.details)
    return counted.reduce((sum, [, { faults = 0 }]) => sum + faults, 0) === 5 ? body : undefined
  }
  const ready = await until('all five are shown', faults)
  // What the runtime does not trace back, a failing read of Bun's that nobody awaits, is told as such.
  expect(ready).toMatchObject({ status: 'ready', checks: { 'plugin late': 'degraded' } })
  expect(ready.details['plugin late'].faults).toBeGreaterThanOrEqual(4)
  expect(server.stderr()).toContain('plugin late: a promise that nobody awaits was rejected')
  expect(server.stderr()).toContain('plugin late: an error was thrown that nobody catches')
  expect(server.hasEnded()).toBe(false)
  await server.stop()
}, 120_000)

test('a setup that fails on the first start says who failed, and the next start still shows the secrets', async () => {
  const store = await emptyStore()
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
  const server = await startServer({ ...(await emptyStore()), PLUGINS: './test/hostile-plugins/hanging-stop.ts' })
  expect(await server.stop()).toBe(0)
  expect(server.stderr()).toContain('plugin hanging: stop did not end within')
}, 120_000)
