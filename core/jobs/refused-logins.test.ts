import { afterAll, beforeAll, expect, test } from 'bun:test'
import { failure, openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { type FlakyProxy, flakyProxy } from '../../test/support/flaky-proxy.ts'
import { enqueue, rowsOf, startRunner, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import { openDatabase } from '../db/database.ts'
import { openPgPool } from '../db/pool.ts'
import type { Storage } from '../db/storage.ts'
import { createLog } from '../log.ts'

let storage: Storage
let proxy: FlakyProxy

beforeAll(async () => {
  storage = (await openControlPlane(await ownDatabaseUrl())).storage
  proxy = await flakyProxy(storage.url)
})

afterAll(() => proxy.close())

function throughProxy() {
  const [pool, database] = [
    openPgPool(proxy.url, 4, createLog('silent')),
    openDatabase({ url: proxy.url, poolSize: 2 }),
  ]
  const close = async () => void (await Promise.all([database.close(), pool.end()]))
  return { pool, database, close }
}

test('jobs wait, without using up attempts, while the database refuses a login that it took before', async () => {
  const through = throughProxy()
  const attempts: number[] = []
  const task = testTask({ run: async ({ attempt }) => void attempts.push(attempt) })
  const runner = await startRunner(through, task, { leaseRenewMs: 400, leaseStaleMs: 5000 })
  for (const state of ['28P01', '28000']) {
    proxy.refuseLogins(state)
    await until('the outage shows', async () => (await failure(runner.health())) !== undefined)
    await enqueue(storage.database, { task: task.name, payload: { n: 1 } })
    expect(await failure(through.database.system(tx => tx`select 1`))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 2,
      cause: { code: state },
    })
    proxy.refuseLogins(undefined)
    await until('the job is done', async () => (await rowsOf(storage.database, task.name)).length === 0)
  }
  expect(attempts).toEqual([1, 1])
  await runner.stop(500)
  await through.close()
}, 120_000)

test('a login that was never taken fails at once, as the database says it', async () => {
  proxy.refuseLogins('28P01')
  const through = throughProxy()
  const task = testTask({ run: async () => undefined })
  expect(await failure(startRunner(through, task))).toMatchObject({ code: '28P01' })
  expect(await failure(through.pool.query('select 1'))).toMatchObject({ code: '28P01' })
  await through.close()
  proxy.refuseLogins(undefined)
})
