import { afterEach, describe, expect, test } from 'bun:test'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { flakyProxy } from '../../test/support/flaky-proxy.ts'
import { until } from '../../test/support/wait.ts'
import { createLog } from '../log.ts'
import { isUnavailable } from './database.ts'
import { openStorage } from './storage.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A database behind a proxy that can make it vanish. */
async function world() {
  const proxy = await flakyProxy((await controlPlane()).storage.url)
  closing.push(proxy.close)
  const log = createLog('silent')
  // However slow the machine is, nothing is given up before the database vanishes.
  let vanishedMs = 600_000
  const watchdog = { everyMs: 50, vanishedMs: () => vanishedMs }
  const storage = await openStorage({
    databaseUrl: proxy.url,
    dataDir: '',
    poolSize: 2,
    log,
    watchdog,
    onFatal: () => undefined,
  })
  closing.push(storage.close)
  const vanish = () => {
    proxy.hold()
    vanishedMs = 1500
  }
  return { proxy, vanish, ...storage }
}

describe('a database host that vanishes without closing its connections', () => {
  test('is noticed: what is under way fails as unavailable, and what comes next has new connections', async () => {
    const { proxy, vanish, database, pool } = await world()
    const transaction = () => database.system(tx => tx`select 1`)
    await Promise.all([transaction(), transaction(), pool.query('select 1')])
    // The transactions have two, the pool and the watchdog one each.
    await until('all have their connections', async () => proxy.connections() === 4)
    vanish()
    // Two of them have a connection, the others wait for one.
    const transactions = Array.from({ length: 4 }, () => failure(transaction()))
    const query = failure(pool.query('select 2'))
    for (const error of await Promise.all(transactions)) expect(isUnavailable(error)).toBe(true)
    expect(await query).toBeInstanceOf(Error)
    expect([...(await database.system(tx => tx<{ n: number }[]>`select 3 as n`))]).toEqual([{ n: 3 }])
    expect((await pool.query('select 4 as n')).rows).toEqual([{ n: 4 }])
  })

  test('answers pings again after it', async () => {
    const { proxy, vanish, database } = await world()
    await database.ping(60_000)
    await until('the watchdog has its connection', async () => proxy.connections() === 2)
    vanish()
    for (let n = 0; n < 3; n++) expect(await failure(database.ping(20))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await until('it is noticed', async () => (await failure(database.ping(60_000))) === undefined)
  })
})
