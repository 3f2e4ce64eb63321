import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { type FlakyProxy, flakyProxy } from '../../test/support/flaky-proxy.ts'
import { type Database, isUnavailable } from './database.ts'

/** Collects uncaught errors: without the patch in patches/ the driver throws them from a timer. */
const uncaught: unknown[] = []
const note = (error: unknown) => {
  uncaught.push(error)
}

let proxy: FlakyProxy
let database: Database

beforeAll(async () => {
  const { storage } = await controlPlane()
  database = storage.database
  proxy = await flakyProxy(storage.url)
  process.on('uncaughtException', note)
})

afterAll(async () => {
  process.off('uncaughtException', note)
  await proxy.close()
})

function pool(max: number): postgres.Sql {
  return postgres(proxy.url, { max, fetch_types: false, connect_timeout: 5, backoff: () => 0.01 })
}

describe('postgres.js when connections die (patches/postgres@3.4.9.patch)', () => {
  for (const how of ['close', 'reset'] as const) {
    for (const max of [1, 3]) {
      test(`a pool of ${max} outlives twenty transactions cut off (${how}) whose callbacks go on`, async () => {
        const sql = pool(max)
        for (let round = 0; round < 20; round++) {
          const outcomes = await Promise.all(Array.from({ length: max }, () => interrupted(sql, how, round % 2 === 0)))
          const errors = outcomes.flat()
          expect(errors.length).toBeGreaterThanOrEqual(max)
          expect(errors.filter(error => !isUnavailable(error))).toEqual([])
        }
        // There is one more than there are slots: with a slot lost in a pool of one, or all of them, this would never
        // end.
        const answers = await Promise.all(Array.from({ length: max + 1 }, () => sql.begin(tx => tx`select 1 as one`)))
        expect(answers.flat()).toEqual(Array.from({ length: max + 1 }, () => ({ one: 1 })))
        expect(uncaught).toEqual([])
        await sql.end({ timeout: 1 })
      })
    }
  }

  test("a dead transaction's later statements never run in the connection's next session", async () => {
    const sql = pool(1)
    const [dead, late] = [randomUUID(), randomUUID()]
    let release: () => void = () => undefined
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    let lateError: Promise<unknown> = Promise.resolve('not asked yet')
    const lost = sql.begin(async tx => {
      await tx`insert into core.worker_lease (worker) values (${dead})`
      proxy.drop('close')
      await released
      lateError = failure(Promise.resolve(tx`insert into core.worker_lease (worker) values (${late})`))
      await lateError
    })
    expect(isUnavailable(await failure(Promise.resolve(lost)))).toBe(true)
    // The pool's only connection now belongs to this transaction.
    await sql.begin(async tx => {
      await tx`select 1`
      release()
      await tx`select pg_sleep(0.02)`
    })
    expect(isUnavailable(await lateError)).toBe(true)
    const rows = await database.system(tx => tx`select 1 from core.worker_lease where worker in (${dead}, ${late})`)
    expect(rows).toHaveLength(0)
    expect(uncaught).toEqual([])
    await sql.end({ timeout: 1 })
  })

  test('a reserved connection that dies rejects its queries and gives its slot back', async () => {
    // With `fetch_types: false` a pool's first `reserve()` never resolves in this version, patch or not.
    const sql = postgres(proxy.url, { max: 1, backoff: () => 0.01 })
    for (let round = 0; round < 3; round++) {
      const reserved = await sql.reserve()
      await reserved`select 1`
      proxy.drop('close')
      for (let query = 0; query < 3; query++) {
        expect(isUnavailable(await failure(Promise.resolve(reserved`select 2`)))).toBe(true)
      }
      reserved.release()
      expect([...(await sql`select 3 as n`)]).toEqual([{ n: 3 }])
    }
    expect(uncaught).toEqual([])
    await sql.end({ timeout: 1 })
  })

  test('a server that accepts connections and closes them fails its callers instead of keeping them', async () => {
    const sql = pool(1)
    await proxy.cut()
    expect(isUnavailable(await failure(Promise.resolve(sql`select 1`)))).toBe(true)
    await proxy.mend()
    const silent = await flakyProxy('postgres://127.0.0.1:1/nothing')
    const closing = postgres(silent.url, { max: 1, fetch_types: false, backoff: () => 0.01 })
    expect(isUnavailable(await failure(Promise.resolve(closing`select 1`)))).toBe(true)
    await closing.end({ timeout: 1 })
    await silent.close()
    expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }])
    await sql.end({ timeout: 1 })
  })
})

/**
 * Loses its connection, with a statement under way or while idle, goes on issuing statements, and returns every error
 * it saw.
 */
async function interrupted(sql: postgres.Sql, how: 'close' | 'reset', underWay: boolean): Promise<unknown[]> {
  const errors: unknown[] = []
  const keep = (error: unknown) => {
    errors.push(error)
  }
  await sql
    .begin(async tx => {
      await tx`select 1`
      if (underWay) proxy.hold()
      const running = underWay ? tx`select 2`.catch(keep) : undefined
      proxy.drop(how)
      await running
      for (let i = 0; i < 3; i++) await tx`select ${i}::int`.catch(keep)
    })
    .catch(keep)
  return errors
}
