import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import pino from 'pino'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { gate } from '../../test/support/gate.ts'
import { anyTask, enqueue, hurry, rowsOf, startRunner, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import type { Database } from '../db/database.ts'
import type { Storage } from '../db/storage.ts'
import { createJobQueue } from './queue.ts'
import type { JobRunner, JobRunnerOptions } from './runner.ts'
import type { Task } from './task.ts'

let storage: Storage
let database: Database
const runners: JobRunner[] = []

beforeAll(async () => {
  storage = (await controlPlane()).storage
  database = storage.database
})

afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop(500)
})

async function run(task: Task<null>, options: Partial<JobRunnerOptions> = {}): Promise<JobRunner> {
  const runner = await startRunner(storage, task, options)
  runners.push(runner)
  return runner
}

const done = (task: Task<null>) => async () => (await rowsOf(database, task.name)).length === 0

describe('adding jobs', () => {
  test('a job exists when its transaction commits, and never when that rolls back', async () => {
    const ran: number[] = []
    const task = testTask({ run: async ({ payload }) => void ran.push(payload.n) })
    const queue = createJobQueue()
    const rolledBack = database.system(async tx => {
      await queue.enqueue(tx, [{ task: task.name, payload: { n: 1 } }])
      throw new Error('no')
    })
    expect((await failure(rolledBack))?.message).toBe('no')
    await enqueue(database, { task: task.name, payload: { n: 2 } })
    await run(task)
    await until('the job ran', done(task))
    expect(ran).toEqual([2])
  })

  test('the request role adds jobs and can read and change none', async () => {
    const task = testTask({ run: async () => undefined })
    const workspaceId = randomUUID()
    await database.workspace(workspaceId, tx =>
      createJobQueue().enqueue(tx, [{ task: task.name, payload: { n: 1 }, runAt: new Date(Date.now() + 60_000) }]),
    )
    expect(await rowsOf(database, task.name)).toHaveLength(1)
    for (const statement of [
      'select * from graphile_worker._private_jobs',
      'select * from graphile_worker.jobs',
      'select * from core.worker_lease',
      "select graphile_worker.add_job('x')",
      'delete from graphile_worker._private_jobs',
    ]) {
      const denied = await failure(database.workspace(workspaceId, tx => tx.unsafe(statement)))
      expect(denied).toMatchObject({ code: '42501' })
    }
  })

  test('a waiting job is replaced by one with its key; the last of several in a call counts', async () => {
    const ran: number[] = []
    const task = testTask({ run: async ({ payload }) => void ran.push(payload.n) })
    const key = randomUUID()
    for (const n of [1, 2]) await enqueue(database, { task: task.name, payload: { n }, key })
    await enqueue(database, ...[3, 4].map(n => ({ task: task.name, payload: { n }, key })))
    await run(task)
    await until('the job ran', done(task))
    expect(ran).toEqual([4])
  })

  test('a running job is left to finish when its key comes again, and the new one runs as well', async () => {
    const finished: number[] = []
    let release: () => void = () => undefined
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const task = testTask({
      async run({ payload }) {
        if (payload.n === 1) await released
        finished.push(payload.n)
      },
    })
    const key = randomUUID()
    await enqueue(database, { task: task.name, payload: { n: 1 }, key })
    await run(task)
    await until('the first runs', async () => (await rowsOf(database, task.name))[0]?.locked_by != null)
    await enqueue(database, { task: task.name, payload: { n: 2 }, key })
    await until('the second ran', async () => finished.includes(2))
    release()
    await until('both are done', done(task))
    expect(finished.sort()).toEqual([1, 2])
  })

  test('replacing a key over and over while workers take the jobs loses the last one never', async () => {
    const ran = new Set<number>()
    const task = testTask({ run: async ({ payload }) => void ran.add(payload.n) })
    await run(task)
    const key = randomUUID()
    for (let n = 0; n < 300; n++) await enqueue(database, { task: task.name, payload: { n }, key })
    await until('all are done', done(task))
    expect(ran.has(299)).toBe(true)
  })
})

describe('running jobs', () => {
  test('a job is announced to an idle runner, which does not wait for its next poll', async () => {
    const started = new Set<number>()
    const task = testTask({ run: async ({ payload }) => void started.add(payload.n) })
    // The first comes by a look at the queue; for the others there would be none while the test lasts.
    await enqueue(database, { task: task.name, payload: { n: 0 } })
    await run(task, { pollMs: 300_000 })
    for (let n = 0; n < 15; n++) {
      if (n > 0) await enqueue(database, { task: task.name, payload: { n } })
      await until('it started', async () => started.has(n))
    }
  })

  test('a failing job is tried again, and after its last attempt `exhausted` is told and the job is gone', async () => {
    const attempts: string[] = []
    const reports: string[] = []
    let failedAt = Number.POSITIVE_INFINITY
    const task = testTask({
      maxAttempts: 2,
      async run({ attempt, maxAttempts }) {
        attempts.push(`${attempt}/${maxAttempts}`)
        failedAt = Date.now()
        throw new Error(`failure ${attempt}`)
      },
      async exhausted({ payload, attempt }, error) {
        reports.push(`${payload.n} ${attempt} ${error.message}`)
      },
    })
    await enqueue(database, { task: task.name, payload: { n: 7 } })
    await run(task)
    const waiting = async () => (await rowsOf(database, task.name)).find(row => row.attempts === 1 && !row.locked_by)
    expect((await until('it waits', waiting)).run_at.getTime()).toBeGreaterThan(failedAt + 1000)
    await hurry(database, task.name)
    await until('it is given up', done(task))
    expect(attempts).toEqual(['1/2', '2/2'])
    expect(reports).toEqual(['7 2 failure 2'])
  })

  test("a job's own number of attempts wins over its task's", async () => {
    const seen: number[] = []
    const task = testTask({
      maxAttempts: 5,
      async run({ maxAttempts }) {
        seen.push(maxAttempts)
        throw new Error('no')
      },
    })
    await enqueue(database, { task: task.name, payload: { n: 1 }, maxAttempts: 1 })
    await run(task)
    await until('it is given up', done(task))
    expect(seen).toEqual([1])
  })

  test('an `exhausted` that fails is called again without running the task again', async () => {
    let runs = 0
    const reports: string[] = []
    const task = testTask({
      maxAttempts: 1,
      async run() {
        runs++
        throw new Error('first')
      },
      async exhausted(_, error) {
        reports.push(error.message)
        if (reports.length === 1) throw new Error('could not report')
      },
    })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    await run(task)
    await until('it waits', async () =>
      (await rowsOf(database, task.name)).find(row => row.attempts === 1 && !row.locked_by),
    )
    await hurry(database, task.name)
    await until('it is given up', done(task))
    expect(runs).toBe(1)
    expect(reports).toHaveLength(2)
  })

  test('a job with an invalid payload is dropped at once, and no log line quotes a payload', async () => {
    let runs = 0
    const task = anyTask(Type.Object({ note: Type.String({ maxLength: 5 }) }), {
      async run() {
        runs++
      },
    })
    const lines: string[] = []
    const log = pino(
      { level: 'trace' },
      new Writable({
        write(line, _, next) {
          lines.push(String(line))
          next()
        },
      }),
    )
    await enqueue(database, { task: task.name, payload: { note: 'a private matter' } })
    await run(task, { log })
    await until('it is gone', done(task))
    expect(runs).toBe(0)
    expect(lines.filter(line => line.includes('job dropped'))).toHaveLength(1)
    expect(lines.filter(line => line.includes('private matter'))).toEqual([])
  })

  test('a schedule is known to the database, so that it fires once in the whole deployment', async () => {
    const task = anyTask(Type.Object({}), { run: async () => undefined })
    await run(task, { cron: [{ schedule: '0 4 1 1 *', task: task.name }] })
    const identifier = `${task.name} 0 4 1 1 *`
    const known = () =>
      database.system(tx => tx`select 1 from graphile_worker._private_known_crontabs where identifier = ${identifier}`)
    await until('the schedule is known', async () => (await known()).length === 1)
  })
})

describe('stopping', () => {
  test('a stop waits for running jobs', async () => {
    const { open, opened } = gate()
    const order: string[] = []
    let started = false
    const task = testTask({
      async run() {
        started = true
        await opened
        order.push('job')
      },
    })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    const runner = await startRunner(storage, task)
    await until('it runs', async () => started)
    const stopped = runner.stop(5000).then(() => order.push('stop'))
    // A stop that did not wait would be over before the database has answered ten times.
    for (let n = 0; n < 10; n++) await rowsOf(database, task.name)
    expect(order).toEqual([])
    open()
    await stopped
    expect(order).toEqual(['job', 'stop'])
    expect(await rowsOf(database, task.name)).toHaveLength(0)
  })

  for (const heeds of [true, false]) {
    test(`a job that ${heeds ? 'heeds' : 'ignores'} the abort signal runs again elsewhere at once, with all its attempts`, async () => {
      const attempts: number[] = []
      let again = false
      const task = testTask({
        async run({ attempt, signal }) {
          attempts.push(attempt)
          if (again) return
          await new Promise<void>((_, reject) => {
            if (heeds) signal.addEventListener('abort', () => reject(new Error('aborted')))
          })
        },
      })
      await enqueue(database, { task: task.name, payload: { n: 1 } })
      const runner = await startRunner(storage, task)
      await until('it runs', async () => attempts.length === 1)
      // The job that ignores the signal never ends: a stop that waited for it would not either.
      await runner.stop(400)
      again = true
      await run(task)
      // Well before the lease of the stopped runner could have run out.
      await until('it ran again', done(task), 15_000)
      expect(attempts).toEqual([1, 1])
    })
  }

  test('a runner that was stopped holds no lease', async () => {
    const leases = () => database.system(tx => tx<{ worker: string }[]>`select worker from core.worker_lease`)
    const before = new Set((await leases()).map(lease => lease.worker))
    const runner = await startRunner(storage, testTask({ run: async () => undefined }))
    const own = (await leases()).filter(lease => !before.has(lease.worker))
    expect(own).toHaveLength(1)
    await runner.health()
    await runner.stop(500)
    expect(await failure(runner.health())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await leases()).some(lease => lease.worker === own[0]?.worker)).toBe(false)
  })
})
