import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import type { Database } from '../db/database.ts'
import { createRateLimiter } from './rate-limit.ts'

let database: Database

beforeAll(async () => {
  database = (await controlPlane()).storage.database
})

/** The time is 20 seconds into a window of a minute, far from any other test's. */
function clock() {
  const now = Math.floor(Date.now() / 60_000) * 60_000 + 20_000
  return { now }
}

function limiter(limit: number, time: { now: number }, over: Database = database) {
  return createRateLimiter({ limit, database: over, now: () => time.now })
}

function times<T>(count: number, work: () => T): T[] {
  return Array.from({ length: count }, work)
}

describe('the rate limiter', () => {
  test('lets the limit through, then refuses until the window ends, and tells where a caller stands', () => {
    const time = clock()
    const id = randomUUID()
    const { consume } = limiter(3, time)
    expect(times(3, () => consume(id))).toEqual([
      { limited: false, refused: 0, limit: 3, remaining: 2, resetSeconds: 40 },
      { limited: false, refused: 0, limit: 3, remaining: 1, resetSeconds: 40 },
      { limited: false, refused: 0, limit: 3, remaining: 0, resetSeconds: 40 },
    ])
    time.now += 39_500
    expect(consume(id)).toEqual({ limited: true, refused: 1, limit: 3, remaining: 0, resetSeconds: 1 })
    expect(consume(randomUUID()).limited).toBe(false)
    time.now += 500
    expect(consume(id)).toEqual({ limited: false, refused: 0, limit: 3, remaining: 2, resetSeconds: 60 })
  })

  test('holds across servers: together they overshoot by no more than what was between two exchanges', async () => {
    const time = clock()
    const id = randomUUID()
    const servers = times(3, () => limiter(100, time))
    let passed = 0
    for (let second = 0; second < 20; second++) {
      for (const server of servers) passed += times(5, () => server.consume(id)).filter(state => !state.limited).length
      for (const server of servers) await server.sync()
      time.now += 1000
    }
    expect(passed).toBeGreaterThanOrEqual(100)
    expect(passed).toBeLessThanOrEqual(115)
    expect(servers.map(server => server.consume(id).limited)).toEqual([true, true, true])
  })

  test('a new window starts afresh on all servers', async () => {
    const time = clock()
    const id = randomUUID()
    const [one, other] = [limiter(2, time), limiter(2, time)]
    times(2, () => one.consume(id))
    await one.sync()
    time.now += 60_000
    expect(other.consume(id)).toMatchObject({ limited: false, remaining: 1 })
    await other.sync()
    expect(one.consume(id)).toMatchObject({ limited: false, remaining: 1 })
    await one.sync()
    await other.sync()
    expect(one.consume(id).limited).toBe(true)
  })

  test('a window of a clock that was two days ahead keeps no servers from sharing theirs', async () => {
    const time = clock()
    const id = randomUUID()
    const ahead = limiter(10, { now: time.now + 2 * 24 * 60 * 60_000 })
    ahead.consume(id)
    await ahead.sync()
    const servers = times(2, () => limiter(10, time))
    for (const server of servers) {
      times(8, () => server.consume(id))
      await server.sync()
    }
    expect(servers.map(server => server.consume(id).limited)).toEqual([false, true])
  })

  test('servers whose clocks are minutes apart hold it each for itself', async () => {
    const time = clock()
    const id = randomUUID()
    const servers = [limiter(10, time), limiter(10, { now: time.now + 5 * 60_000 })]
    const passed = [0, 0]
    for (let second = 0; second < 20; second++) {
      for (const [n, server] of servers.entries()) {
        if (!server.consume(id).limited) passed[n] = (passed[n] ?? 0) + 1
        await server.sync()
      }
    }
    expect(passed).toEqual([10, 10])
  })

  test('without the database each server goes on counting, and what it counted is exchanged later', async () => {
    const time = clock()
    const id = randomUUID()
    const away = { now: true }
    const flaky = limiter(5, time, {
      ...database,
      system: work => (away.now ? Promise.reject(new Error('away')) : database.system(work)),
    })
    times(3, () => flaky.consume(id))
    expect((await failure(flaky.sync()))?.message).toBe('away')
    expect(flaky.consume(id)).toMatchObject({ limited: false, remaining: 1 })
    away.now = false
    await flaky.sync()
    const other = limiter(5, time)
    other.consume(id)
    await other.sync()
    expect(other.consume(id).limited).toBe(true)
  })

  test('requests that arrive during an exchange are not lost', async () => {
    const time = clock()
    const id = randomUUID()
    const { consume, sync } = limiter(10, time)
    times(4, () => consume(id))
    const exchange = sync()
    times(3, () => consume(id))
    await exchange
    expect(consume(id).remaining).toBe(2)
  })
})
