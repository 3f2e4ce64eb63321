import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { failure, openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { type FlakyProxy, flakyProxy } from '../../test/support/flaky-proxy.ts'
import { enqueue, rowsOf, startRunner, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { openPgPool } from '../db/pool.ts'
import type { Storage } from '../db/storage.ts'
import { createLog } from '../log.ts'
import { INTERRUPTIONS_MAX } from './attempt.ts'

/** Leases are quicker than in production, and slow enough that a busy machine renews in time. */
const QUICK = { leaseRenewMs: 400, leaseStaleMs: 5000 }

let storage: Storage
let database: Database
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  // The database is this file's own: a lease that counts as stale this soon could be that of a service which other
  // tests share.
  storage = (await openControlPlane(await ownDatabaseUrl())).storage
  database = storage.database
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

describe('a worker that dies', () => {
  test('killed in the middle of a job, its job is run by another, with its attempt given back', async () => {
    const attempts: number[] = []
    const task = testTask({ run: async ({ attempt }) => void attempts.push(attempt) })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    const fixture = fileURLToPath(new URL('./fixtures/worker-to-kill.ts', import.meta.url))
    const worker = spawn(process.execPath, [fixture, storage.url, task.name], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(worker.stdout, 'data')
    const ended = once(worker, 'exit')
    worker.kill('SIGKILL')
    await ended
    expect((await rowsOf(database, task.name))[0]?.locked_by).toBeString()
    const runner = await startRunner(storage, task, QUICK)
    closing.push(() => runner.stop(500))
    await until('another ran it', async () => (await rowsOf(database, task.name)).length === 0)
    expect(attempts).toEqual([1])
  })

  test('killed in the middle of a job with a limit, its place is free for those in line', async () => {
    const ran: number[] = []
    const task = testTask({ run: async ({ payload }) => void ran.push(payload.n) })
    const limit = { key: task.name, max: 1 }
    await enqueue(database, ...[1, 2, 3].map(n => ({ task: task.name, payload: { n }, limit })))
    const fixture = fileURLToPath(new URL('./fixtures/worker-to-kill.ts', import.meta.url))
    const worker = spawn(process.execPath, [fixture, storage.url, task.name], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(worker.stdout, 'data')
    const ended = once(worker, 'exit')
    worker.kill('SIGKILL')
    await ended
    const runner = await startRunner(storage, task, QUICK)
    closing.push(() => runner.stop(500))
    await until('another ran them', async () => (await rowsOf(database, task.name)).length === 0)
    expect(ran.toSorted()).toEqual([1, 2, 3])
  })

  test('a job that keeps killing its workers is given up in the end, and `exhausted` hears of it', async () => {
    let runs = 0
    const reports: string[] = []
    const task = testTask({
      async run() {
        runs++
      },
      async exhausted(_, error) {
        reports.push(error.message)
      },
    })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    await setFlags(database, task.name, { [`interrupted:${INTERRUPTIONS_MAX + 1}`]: true })
    const runner = await startRunner(storage, task, QUICK)
    closing.push(() => runner.stop(500))
    await until('it is given up', async () => (await rowsOf(database, task.name)).length === 0)
    expect(runs).toBe(0)
    expect(reports).toHaveLength(1)
  })

  test('the only process there can be on a database takes up the jobs of an earlier run at once', async () => {
    const own = (await openControlPlane(await ownDatabaseUrl())).storage
    const ran: number[] = []
    const task = testTask({ run: async ({ payload }) => void ran.push(payload.n) })
    await enqueue(own.database, { task: task.name, payload: { n: 1 } })
    // A killed process leaves a lock of just now and a lease that is still good.
    await own.database.system(async tx => {
      await tx`update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now(), attempts = 1`
      await tx`insert into core.worker_lease (worker) values ('dead')`
    })
    const runner = await startRunner(own, task, { alone: true })
    closing.push(() => runner.stop(500))
    // This is well before the lease of the dead worker runs out.
    await until('it ran', async () => ran.length === 1, 15_000)
  })

  test('its jobs run again soon, also where the clock was put back and its lease lies far ahead', async () => {
    let runs = 0
    const task = testTask({
      async run() {
        runs++
      },
    })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    await database.system(async tx => {
      await tx`insert into core.worker_lease (worker, renewed_at) values ('dead', now() + interval '1 hour')`
      await tx`
        update graphile_worker._private_jobs as job
        set locked_by = 'dead', locked_at = now() + interval '1 hour'
        from graphile_worker._private_tasks as task
        where task.id = job.task_id and task.identifier = ${task.name}`
    })
    const runner = await startRunner(storage, task, QUICK)
    closing.push(() => runner.stop(500))
    await until('another ran it', async () => (await rowsOf(database, task.name)).length === 0)
    expect(runs).toBe(1)
  })

  test('a live lease protects a long job from being run twice', async () => {
    let starts = 0
    let release: () => void = () => undefined
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const task = testTask({
      async run() {
        starts++
        await released
      },
    })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    for (let i = 0; i < 2; i++) {
      const runner = await startRunner(storage, task, QUICK)
      closing.push(() => runner.stop(500))
    }
    await until('it runs', async () => starts === 1)
    const startedAt = performance.now()
    await until(
      'the lease was renewed past its first end',
      async () => performance.now() - startedAt > QUICK.leaseStaleMs + 1000,
    )
    expect(starts).toBe(1)
    release()
    await until('it is done', async () => (await rowsOf(database, task.name)).length === 0)
    expect(starts).toBe(1)
  })
})

describe('a database that goes away', () => {
  test('jobs run again when it is back, nothing is lost, and health tells the outage', async () => {
    const { proxy, through } = await proxied(storage.url)
    const ran: number[] = []
    let release: () => void = () => undefined
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const task = testTask({
      async run({ payload }) {
        if (payload.n === 1) await released
        ran.push(payload.n)
      },
    })
    const runner = await startRunner(through, task, QUICK)
    closing.push(() => runner.stop(500))
    for (const round of [1, 2, 3]) {
      await enqueue(database, { task: task.name, payload: { n: round } })
      if (round === 1) await until('it runs', async () => (await rowsOf(database, task.name))[0]?.locked_by != null)
      await proxy.cut()
      // The first job ends while its end cannot be written down: it may run twice, but never not at all.
      if (round === 1) release()
      await until('the outage shows', async () => (await failure(runner.health())) !== undefined)
      await enqueue(database, { task: task.name, payload: { n: round * 10 } })
      await proxy.mend()
      await until('it is healthy again', async () => (await failure(runner.health())) === undefined)
      await until('all jobs are done', async () => (await rowsOf(database, task.name)).length === 0)
    }
    expect([...new Set(ran)].sort((a, b) => a - b)).toEqual([1, 2, 3, 10, 20, 30])
  }, 120_000)

  test('dropped connections alone do not keep the next job waiting', async () => {
    const { proxy, through } = await proxied(storage.url)
    let ran = 0
    const task = testTask({
      async run() {
        ran++
      },
    })
    const runner = await startRunner(through, task, QUICK)
    closing.push(() => runner.stop(500))
    for (let round = 1; round <= 5; round++) {
      await proxy.cut()
      await proxy.mend()
      await enqueue(database, { task: task.name, payload: { n: round } })
      // By itself, graphile-worker's listener would wait for up to a minute.
      await until('it ran', async () => ran >= round, 30_000)
    }
    await until('all are done', async () => (await rowsOf(database, task.name)).length === 0)
  }, 180_000)

  test('a runner does not start without it', async () => {
    const { proxy, through } = await proxied(storage.url)
    await proxy.cut()
    const task = testTask({ run: async () => undefined })
    expect(await failure(startRunner(through, task))).toBeInstanceOf(Error)
    await proxy.mend()
  })
})

async function proxied(url: string): Promise<{ proxy: FlakyProxy; through: Pick<Storage, 'pool' | 'database'> }> {
  const proxy = await flakyProxy(url)
  const pool = openPgPool(proxy.url, 4, createLog('silent'))
  const own = openDatabase({ url: proxy.url, poolSize: 2 })
  closing.push(async () => {
    await Promise.all([own.close(), pool.end()])
    await proxy.close()
  })
  return { proxy, through: { pool, database: own } }
}

async function setFlags(database: Database, task: string, flags: Record<string, true>): Promise<void> {
  await database.system(async tx => {
    await tx`
      update graphile_worker._private_jobs as job
      set flags = ${JSON.stringify(flags)}::text::jsonb
      from graphile_worker._private_tasks as task
      where task.id = job.task_id and task.identifier = ${task}`
  })
}
