import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { isUnavailable } from './database.ts'

const url = process.env.TEST_DATABASE_URL ?? 'postgres://app@127.0.0.1:55451/postgres'

/** Errors nobody caught: without the patch in patches/ the driver throws them from a timer. */
const uncaught: unknown[] = []
const note = (error: unknown) => {
  uncaught.push(error)
}

let killer: postgres.Sql

beforeAll(() => {
  process.on('uncaughtException', note)
  killer = postgres(url, { max: 1, fetch_types: false })
})

afterAll(async () => {
  process.off('uncaughtException', note)
  await killer.end()
})

describe('postgres.js when backends die (patches/postgres@3.4.9.patch)', () => {
  test('a pool outlives twenty terminated transactions whose callbacks go on', async () => {
    const sql = postgres(url, { max: 3, fetch_types: false, connect_timeout: 5 })
    const errors: unknown[] = []
    for (let round = 0; round < 20; round++) {
      const parallel = 1 + (round % 3)
      const transactions = Array.from({ length: parallel }, () => interrupted(sql, round % 2 === 0))
      for (const outcome of await Promise.all(transactions)) errors.push(...outcome)
    }
    expect(errors.length).toBeGreaterThanOrEqual(20)
    expect(errors.filter(error => !isUnavailable(error))).toEqual([])
    expect(await slotsInUse(sql)).toBe(3)
    expect(uncaught).toEqual([])
    await sql.end({ timeout: 1 })
  }, 30_000)

  test("a dead transaction's later queries never run on the connection's next session", async () => {
    const sql = postgres(url, { max: 1, fetch_types: false })
    const table = `loss_${crypto.randomUUID().replaceAll('-', '')}`
    await killer.unsafe(`create table ${table} (id int)`)
    let release: () => void = () => undefined
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    let late: Promise<unknown> = Promise.resolve()
    const dead = sql.begin(async tx => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      await killer`select pg_terminate_backend(${row?.pid ?? 0})`
      await released
      late = tx.unsafe(`insert into ${table} values (1)`)
      await late
    })
    await expect(Promise.resolve(dead)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    // The pool's only connection now belongs to this transaction.
    await sql.begin(async tx => {
      await tx`select 1`
      release()
      await Promise.allSettled([released, tx`select pg_sleep(0.02)`])
    })
    await expect(late).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await killer.unsafe(`select count(*)::int as n from ${table}`)).toMatchObject([{ n: 0 }])
    await killer.unsafe(`drop table ${table}`)
    await sql.end({ timeout: 1 })
    expect(uncaught).toEqual([])
  }, 10_000)

  test('a reserved connection that dies rejects its queries and gives its slot back', async () => {
    // With `fetch_types: false` a pool's first `reserve()` never answers in this version, patch or not.
    const sql = postgres(url, { max: 1 })
    for (let round = 0; round < 3; round++) {
      const reserved = await sql.reserve()
      const [row] = await reserved<{ pid: number }[]>`select pg_backend_pid() as pid`
      await killer`select pg_terminate_backend(${row?.pid ?? 0})`
      await failure(() => reserved`select 1`)
      expect(isUnavailable(await failure(() => reserved`select 2`))).toBe(true)
      reserved.release()
      expect(await sql`select 3 as n`).toMatchObject([{ n: 3 }])
    }
    await sql.end({ timeout: 1 })
    expect(uncaught).toEqual([])
  }, 10_000)
})

/** Kills its own backend, while a query runs or while idle, goes on issuing queries, and answers every error it saw. */
async function interrupted(sql: postgres.Sql, duringQuery: boolean): Promise<unknown[]> {
  const errors: unknown[] = []
  const keep = (error: unknown) => {
    errors.push(error)
  }
  await sql
    .begin(async tx => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      const running = duringQuery ? tx`select pg_sleep(5)`.catch(keep) : undefined
      await killer`select pg_terminate_backend(${row?.pid ?? 0})`
      await running
      keep(await failure(() => tx`select 1`))
      for (let i = 0; i < 3; i++) await tx`select ${i}::int`.catch(keep)
    })
    .catch(keep)
  return errors
}

/** The first error of a query that is repeated until it fails: a terminated backend takes a moment to go. */
async function failure(query: () => PromiseLike<unknown>): Promise<unknown> {
  for (let i = 0; i < 10_000; i++) {
    try {
      await query()
    } catch (error) {
      return error
    }
  }
  throw new Error('the backend is still alive')
}

/** How many connections of the pool still serve transactions at the same time. */
async function slotsInUse(sql: postgres.Sql): Promise<number> {
  const pids = new Set<number>()
  let arrived = 0
  let open: () => void = () => undefined
  const all = new Promise<void>(resolve => {
    open = resolve
  })
  await Promise.all(
    [1, 2, 3].map(() =>
      sql.begin(async tx => {
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
        pids.add(row?.pid ?? 0)
        if (++arrived === 3) open()
        await all
      }),
    ),
  )
  return pids.size
}
