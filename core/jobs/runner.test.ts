import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import pino from 'pino'
import { failure } from '../../test/support/control-plane.ts'
import { gate } from '../../test/support/gate.ts'
import { jobWorld } from '../../test/support/job-world.ts'
import { anyTask, startRunner, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import { createJobQueue } from './queue.ts'

const jobs = jobWorld()

describe('adding jobs', () => {
  test('a job exists when its transaction commits, and never when that rolls back', async () => {
    const ran: number[] = []
    const task = testTask({ run: async ({ payload }) => void ran.push(payload.n) })
    const queue = createJobQueue()
    const rolledBack = jobs.database.system(async tx => {
      await queue.enqueue(tx, [{ task: task.name, payload: { n: 1 } }])
      throw new Error('no')
    })
    expect((await failure(rolledBack))?.message).toBe('no')
    await jobs.enqueue({ task: task.name, payload: { n: 2 } })
    await jobs.run(task)
    await until('the job ran', jobs.gone(task))
    expect(ran).toEqual([2])
  })

  test('the request role adds jobs and can read and change none', async () => {
    const task = testTask({ run: async () => undefined })
    const workspaceId = randomUUID()
    await jobs.database.workspace(workspaceId, tx =>
      createJobQueue().enqueue(tx, [{ task: task.name, payload: { n: 1 }, runAt: new Date(Date.now() + 60_000) }]),
    )
    expect(await jobs.rows(task)).toHaveLength(1)
    for (const statement of [
      'select * from graphile_worker._private_jobs',
      'select * from graphile_worker.jobs',
      'select * from core.worker_lease',
      "select graphile_worker.add_job('x')",
      'delete from graphile_worker._private_jobs',
    ]) {
      const denied = await failure(jobs.database.workspace(workspaceId, tx => tx.unsafe(statement)))
      expect(denied).toMatchObject({ code: '42501' })
    }
  })

  test('a waiting job is replaced by one with its key; the last of several in a call counts', async () => {
    const ran: number[] = []
    const task = testTask({ run: async ({ payload }) => void ran.push(payload.n) })
    const key = randomUUID()
    for (const n of [1, 2]) await jobs.enqueue({ task: task.name, payload: { n }, key })
    await jobs.enqueue(...[3, 4].map(n => ({ task: task.name, payload: { n }, key })))
    await jobs.run(task)
    await until('the job ran', jobs.gone(task))
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
    await jobs.enqueue({ task: task.name, payload: { n: 1 }, key })
    await jobs.run(task)
    await until('the first runs', async () => (await jobs.rows(task))[0]?.locked_by != null)
    await jobs.enqueue({ task: task.name, payload: { n: 2 }, key })
    await until('the second ran', async () => finished.includes(2))
    release()
    await until('both are done', jobs.gone(task))
    expect(finished.sort()).toEqual([1, 2])
  })

  test('replacing a key over and over while workers take the jobs loses the last one never', async () => {
    const ran = new Set<number>()
    const task = testTask({ run: async ({ payload }) => void ran.add(payload.n) })
    await jobs.run(task)
    const key = randomUUID()
    for (let n = 0; n < 300; n++) await jobs.enqueue({ task: task.name, payload: { n }, key })
    await until('all are done', jobs.gone(task))
    expect(ran.has(299)).toBe(true)
  })
})

describe('running jobs', () => {
  test('a job is announced to an idle runner, which does not wait for its next poll', async () => {
    const started = new Set<number>()
    const task = testTask({ run: async ({ payload }) => void started.add(payload.n) })
    // The first job comes by a look at the queue; for the others there would be none while the test lasts.
    await jobs.enqueue({ task: task.name, payload: { n: 0 } })
    await jobs.run(task, { pollMs: 300_000 })
    for (let n = 0; n < 15; n++) {
      if (n > 0) await jobs.enqueue({ task: task.name, payload: { n } })
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
    await jobs.enqueue({ task: task.name, payload: { n: 7 } })
    await jobs.run(task)
    const waiting = async () => (await jobs.rows(task)).find(row => row.attempts === 1 && !row.locked_by)
    expect((await until('it waits', waiting)).run_at.getTime()).toBeGreaterThan(failedAt + 1000)
    await jobs.hurry(task)
    await until('it is given up', jobs.gone(task))
    expect(attempts).toEqual(['1/2', '2/2'])
    expect(reports).toEqual(['7 2 failure 2'])
  })

  test('waits for its delay by the clock of the database, and has its old place when it is overdue', async () => {
    const task = testTask({ run: async () => undefined })
    const delays = [60_000, -60_000, 0]
    await jobs.enqueue(...delays.map((inMs, n) => ({ task: task.name, payload: { n }, inMs })))
    const rows = await jobs.database.system(
      tx => tx<{ in_ms: number }[]>`
        select extract(epoch from job.run_at - job.created_at)::float8 * 1000 as in_ms
        from graphile_worker._private_jobs as job
        join graphile_worker._private_tasks as task on task.id = job.task_id
        where task.identifier = ${task.name}`,
    )
    expect(rows.map(row => row.in_ms).toSorted((a, b) => b - a)).toEqual([60_000, 0, -60_000])
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
    await jobs.enqueue({ task: task.name, payload: { n: 1 }, maxAttempts: 1 })
    await jobs.run(task)
    await until('it is given up', async () => seen.length > 0 && (await jobs.rows(task)).every(row => !row.locked_by))
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
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    await jobs.run(task)
    await until('it waits', async () => (await jobs.rows(task)).find(row => row.attempts === 1 && !row.locked_by))
    await jobs.hurry(task)
    await until('it is given up', jobs.gone(task))
    expect(runs).toBe(1)
    expect(reports).toHaveLength(2)
  })

  test('a job with an invalid payload is kept as failed at once, with its plugin, and nothing quotes the payload', async () => {
    let runs = 0
    let reports = 0
    const task = anyTask(Type.Object({ note: Type.String({ maxLength: 5 }), place: Type.Integer({ minimum: 1 }) }), {
      async run() {
        runs++
      },
      async exhausted() {
        reports++
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
    await jobs.enqueue({ task: task.name, payload: { note: 'a private matter' } })
    await jobs.run(task, { log, tasks: [{ task, owner: 'notes', scope: null }] })
    const kept = await until('it is given up', async () => (await jobs.rows(task)).find(row => row.last_error !== null))
    expect([runs, reports]).toEqual([0, 0])
    const fault = 'note: expected string length less or equal to 5'
    expect(kept.last_error).toBe(`its payload is not what the task expects: place is required, ${fault}`)
    const told = lines.map(line => JSON.parse(line)).filter(({ level }) => level >= 50)
    expect(told).toMatchObject([{ plugin: 'notes', task: task.name, faults: ['place is required', fault] }])
    expect([...lines, kept.last_error].filter(line => line?.includes('private matter'))).toEqual([])
  })

  test('a schedule is known to the database, so that it fires once in the whole deployment', async () => {
    const task = anyTask(Type.Object({}), { run: async () => undefined })
    await jobs.run(task, { cron: [{ schedule: '0 4 1 1 *', task: task.name }] })
    const identifier = `${task.name} 0 4 1 1 *`
    const known = () =>
      jobs.database.system(
        tx => tx`select 1 from graphile_worker._private_known_crontabs where identifier = ${identifier}`,
      )
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
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    const runner = await startRunner(jobs.storage, task)
    await until('it runs', async () => started)
    const stopped = runner.stop(5000).then(() => order.push('stop'))
    // A stop that did not wait would be over before the database has replied ten times.
    for (let n = 0; n < 10; n++) await jobs.rows(task)
    expect(order).toEqual([])
    open()
    await stopped
    expect(order).toEqual(['job', 'stop'])
    expect(await jobs.rows(task)).toHaveLength(0)
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
      await jobs.enqueue({ task: task.name, payload: { n: 1 } })
      const runner = await startRunner(jobs.storage, task)
      await until('it runs', async () => attempts.length === 1)
      // The job that ignores the signal never ends: a stop that waited for it would not either.
      await runner.stop(400)
      again = true
      await jobs.run(task)
      // This is well before the lease of the stopped runner could have run out.
      await until('it ran again', jobs.gone(task), 15_000)
      expect(attempts).toEqual([1, 1])
    })
  }

  test('a runner that was stopped holds no lease', async () => {
    const leases = () => jobs.database.system(tx => tx<{ worker: string }[]>`select worker from core.worker_lease`)
    const before = new Set((await leases()).map(lease => lease.worker))
    const runner = await startRunner(jobs.storage, testTask({ run: async () => undefined }))
    const own = (await leases()).filter(lease => !before.has(lease.worker))
    expect(own).toHaveLength(1)
    await runner.health()
    await runner.stop(500)
    expect(await failure(runner.health())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await leases()).some(lease => lease.worker === own[0]?.worker)).toBe(false)
  })
})
