import { describe, expect, test } from 'bun:test'
import { Writable } from 'node:stream'
import pino from 'pino'
import { Registry } from 'prom-client'
import { gate } from '../../test/support/gate.ts'
import { jobWorld } from '../../test/support/job-world.ts'
import { startRunner, testClock, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import { EXHAUSTED_LIMIT_MS, OVERRUN_GRACE_MS, OVERRUNS_MAX, TimeLimitError } from './time-limit.ts'

const jobs = jobWorld({ graceMs: 200 })

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
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    const runner = await jobs.run(task, { clock })
    await until('it runs', async () => clock.timers() === 1)
    clock.advance(59_999)
    expect(reasons).toEqual([])
    clock.advance(1)
    const row = await until('it waits', async () => (await jobs.rows(task)).find(one => !one.locked_by))
    expect(reasons).toEqual([expect.any(TimeLimitError)])
    expect(row).toMatchObject({ attempts: 1, last_error: `the task ${task.name} took longer than 60000 ms` })
    expect(runner.overrunningByOwner().size).toBe(0)
    expect(clock.timers()).toBe(0)
  })

  test('has failed also where it returned as if it were done, since it may have done only a part', async () => {
    const clock = testClock({})
    const task = testTask({
      timeLimitMs: 1000,
      run: ({ signal }) => new Promise(resolve => signal.addEventListener('abort', () => resolve())),
    })
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    await jobs.run(task, { clock })
    await until('it runs', async () => clock.timers() === 1)
    clock.advance(1000)
    expect((await until('it waits', async () => (await jobs.rows(task)).find(one => !one.locked_by))).attempts).toBe(1)
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
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    await jobs.run(task, { clock })
    await until('it runs', async () => clock.timers() === 1)
    clock.advance(1000)
    await until('it is given up', async () => (await jobs.rows(task)).length === 0)
    expect(reports).toEqual([expect.any(TimeLimitError)])
  })

  test('never ends an attempt that was quick enough', async () => {
    const clock = testClock({})
    const signals: AbortSignal[] = []
    const task = testTask({ timeLimitMs: 1000, run: async ({ signal }) => void signals.push(signal) })
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    await jobs.run(task, { clock })
    await until('it is done', async () => (await jobs.rows(task)).length === 0)
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
    const told: { level: number; count?: number }[] = []
    const log = pino(new Writable({ write: (line, _, done) => done(void told.push(JSON.parse(String(line)))) }))
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    const runner = await jobs.run(task, { clock, concurrency: 1, metrics, log })
    await until('it runs', async () => clock.timers() === 1)
    await jobs.enqueue({ task: task.name, payload: { n: 2 } })
    clock.advance(1000)
    clock.advance(OVERRUN_GRACE_MS)
    await until('the other ran in the only place there is', async () => ran.includes(2))
    expect([...runner.overrunningByOwner()]).toEqual([['core', 1]])
    const gauge = async () =>
      (await metrics.getSingleMetricAsString('mneme_job_attempts_overrunning')).split('\n').at(-1)
    expect(await gauge()).toEndWith(' 1')
    open()
    await until('it is over', async () => runner.overrunningByOwner().size === 0)
    expect(await gauge()).toEndWith(' 0')
    const counts = told.filter(({ count }) => count !== undefined).map(({ level, count }) => [level, count])
    expect(counts).toEqual([
      [50, 1],
      [30, 0],
    ])
    // Its late outcome changes nothing any more.
    await until('the other is done', async () => (await jobs.rows(task)).length === 1)
    expect(await jobs.rows(task)).toMatchObject([{ attempts: 1, locked_by: null }])
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
    let looked = false
    const other = testTask({
      async run() {
        looked = true
      },
    })
    const hanging = Array.from({ length: OVERRUNS_MAX }, (_, n) => ({ task: task.name, payload: { n: n + 1 } }))
    await jobs.enqueue(...hanging)
    const tasks = [task, other].map(one => ({ task: one, scope: null }))
    const runner = await jobs.run(task, { clock, tasks, concurrency: OVERRUNS_MAX })
    await until('all run', async () => clock.timers() === OVERRUNS_MAX)
    clock.advance(1000)
    clock.advance(OVERRUN_GRACE_MS)
    await until('all are abandoned', async () => runner.overrunningByOwner().get('core') === OVERRUNS_MAX)
    await jobs.enqueue({ task: task.name, payload: { n: 0 } }, { task: other.name, payload: { n: 0 }, priority: 1 })
    await until('the next one is taken', async () => looked)
    expect((await jobs.rows(task)).filter(row => row.attempts === 0 && !row.locked_by)).toHaveLength(1)
    expect(started).toBe(OVERRUNS_MAX)
    open()
    await until('they are over', async () => runner.overrunningByOwner().size === 0)
    await until('it ran here after all', async () => started > OVERRUNS_MAX)
  })
})

test('a last report that hangs is abandoned and told, and made again', async () => {
  const clock = testClock({})
  const signals: AbortSignal[] = []
  const task = testTask({
    maxAttempts: 1,
    run: () => Promise.reject(new Error('broken')),
    exhausted({ signal }) {
      signals.push(signal)
      return signals.length === 1 ? new Promise(() => undefined) : Promise.resolve()
    },
  })
  await jobs.enqueue({ task: task.name, payload: { n: 1 } })
  const runner = await jobs.run(task, { clock })
  await until('it is reported', async () => clock.timers() === 1)
  clock.advance(EXHAUSTED_LIMIT_MS)
  expect(signals.map(signal => signal.aborted)).toEqual([true])
  clock.advance(OVERRUN_GRACE_MS)
  const waiting = await until('it waits', async () => (await jobs.rows(task)).find(row => !row.locked_by))
  expect(waiting.last_error).toBe(`\`exhausted\` of the task ${task.name} took longer than ${EXHAUSTED_LIMIT_MS} ms`)
  expect([...runner.overrunningByOwner()]).toEqual([['core', 1]])
  await jobs.hurry(task)
  await until('it was reported after all', async () => (await jobs.rows(task)).length === 0)
  expect(signals).toHaveLength(2)
})

test.each([0, -1, Number.NaN, 2 ** 31])('a time limit of %p ms is refused at start', async timeLimitMs => {
  const task = testTask({ timeLimitMs, run: async () => undefined })
  await expect(startRunner(jobs.storage, task)).rejects.toThrow(`task ${task.name}: a time limit`)
})
