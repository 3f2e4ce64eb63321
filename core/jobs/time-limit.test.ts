import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { controlPlane } from '../../test/support/control-plane.ts'
import { gate } from '../../test/support/gate.ts'
import { enqueue, hurry, rowsOf, startRunner, testClock, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import type { Database } from '../db/database.ts'
import type { Storage } from '../db/storage.ts'
import type { JobRunner, JobRunnerOptions } from './runner.ts'
import type { Task } from './task.ts'
import { OVERRUN_GRACE_MS, OVERRUNS_MAX, TimeLimitError } from './time-limit.ts'

let storage: Storage
let database: Database
const runners: JobRunner[] = []

beforeAll(async () => {
  storage = (await controlPlane()).storage
  database = storage.database
})

afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop(200)
})

async function run(task: Task<null>, options: Partial<JobRunnerOptions> = {}): Promise<JobRunner> {
  const runner = await startRunner(storage, task, options)
  runners.push(runner)
  return runner
}

const rows = (task: Task<null>) => rowsOf(database, task.name)

describe('an attempt whose time is over', () => {
  test('has its signal aborted with the reason, has failed, and is tried again', async () => {
    const clock = testClock({})
    const reasons: unknown[] = []
    const task = testTask({
      timeLimitMs: 60_000,
      backoff: { delaysMs: [3_600_000] },
      run: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason)
            reject(new Error('stopped in the middle'))
          })
        }),
    })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    const runner = await run(task, { clock })
    await until('it runs', async () => clock.timers() === 1)
    clock.advance(59_999)
    expect(reasons).toEqual([])
    clock.advance(1)
    const row = await until('it waits', async () => (await rows(task)).find(one => !one.locked_by))
    expect(reasons).toEqual([expect.any(TimeLimitError)])
    expect(row).toMatchObject({ attempts: 1, last_error: `the task ${task.name} took longer than 60000 ms` })
    expect(runner.overrunning().size).toBe(0)
    expect(clock.timers()).toBe(0)
  })

  test('has failed also where it returned as if it were done, since it may have done only a part', async () => {
    const clock = testClock({})
    const task = testTask({
      timeLimitMs: 1000,
      run: ({ signal }) => new Promise(resolve => signal.addEventListener('abort', () => resolve())),
    })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    await run(task, { clock })
    await until('it runs', async () => clock.timers() === 1)
    clock.advance(1000)
    expect((await until('it waits', async () => (await rows(task)).find(one => !one.locked_by))).attempts).toBe(1)
  })

  test('reports the time limit to `exhausted` after the last try', async () => {
    const clock = testClock({})
    const reports: Error[] = []
    const task = testTask({
      maxAttempts: 1,
      timeLimitMs: 1000,
      run: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('x')))),
      exhausted: async (_, error) => void reports.push(error),
    })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    await run(task, { clock })
    await until('it runs', async () => clock.timers() === 1)
    clock.advance(1000)
    await until('it is given up', async () => (await rows(task)).length === 0)
    expect(reports).toEqual([expect.any(TimeLimitError)])
  })

  test('never ends an attempt that was quick enough', async () => {
    const clock = testClock({})
    const signals: AbortSignal[] = []
    const task = testTask({ timeLimitMs: 1000, run: async ({ signal }) => void signals.push(signal) })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    await run(task, { clock })
    await until('it is done', async () => (await rows(task)).length === 0)
    clock.advance(10_000)
    expect(signals.map(signal => signal.aborted)).toEqual([false])
  })
})

describe('an attempt that ignores its signal', () => {
  test('is abandoned and told, and its place runs other jobs', async () => {
    const clock = testClock({})
    const { open, opened } = gate()
    const ran: number[] = []
    const task = testTask({
      timeLimitMs: 1000,
      backoff: { delaysMs: [3_600_000] },
      async run({ payload }) {
        ran.push(payload.n)
        if (payload.n === 1) await opened
      },
    })
    const metrics = new Registry()
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    const runner = await run(task, { clock, concurrency: 1, metrics })
    await until('it runs', async () => clock.timers() === 1)
    await enqueue(database, { task: task.name, payload: { n: 2 } })
    clock.advance(1000)
    clock.advance(OVERRUN_GRACE_MS)
    await until('the other ran in the only place there is', async () => ran.includes(2))
    expect([...runner.overrunning()]).toEqual([[task.name, 1]])
    const gauge = async () =>
      (await metrics.getSingleMetricAsString('mneme_job_attempts_overrunning')).split('\n').at(-1)
    expect(await gauge()).toEndWith(' 1')
    open()
    await until('it is over', async () => runner.overrunning().size === 0)
    expect(await gauge()).toEndWith(' 0')
    // What it came to in the end changes nothing any more.
    expect(await rows(task)).toMatchObject([{ attempts: 1, locked_by: null }])
  })

  test('does not pile up: the process leaves further jobs of the task to others, uncounted, until one of them ends', async () => {
    const clock = testClock({})
    const { open, opened } = gate()
    let started = 0
    const task = testTask({
      timeLimitMs: 1000,
      backoff: { delaysMs: [3_600_000] },
      async run({ payload }) {
        started++
        if (payload.n > 0) await opened
      },
    })
    const jobs = Array.from({ length: OVERRUNS_MAX }, (_, n) => ({ task: task.name, payload: { n: n + 1 } }))
    await enqueue(database, ...jobs)
    const runner = await run(task, { clock, concurrency: OVERRUNS_MAX })
    await until('all run', async () => clock.timers() === OVERRUNS_MAX)
    clock.advance(1000)
    clock.advance(OVERRUN_GRACE_MS)
    await until('all are abandoned', async () => runner.overrunning().get(task.name) === OVERRUNS_MAX)
    await enqueue(database, { task: task.name, payload: { n: 0 } })
    const left = await until('it is left to others', async () =>
      (await rows(task)).find(row => row.attempts === 0 && !row.locked_by && row.run_at > new Date()),
    )
    expect(left).toBeDefined()
    expect(started).toBe(OVERRUNS_MAX)
    open()
    await until('they are over', async () => runner.overrunning().size === 0)
    await hurry(database, task.name)
    await until('it ran here after all', async () => started > OVERRUNS_MAX)
  })
})

test.each([0, -1, Number.NaN, 2 ** 31])('a time limit of %p ms is refused at start', async timeLimitMs => {
  const task = testTask({ timeLimitMs, run: async () => undefined })
  await expect(startRunner(storage, task)).rejects.toThrow(`task ${task.name}: a time limit`)
})
