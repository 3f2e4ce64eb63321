import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { Registry } from 'prom-client'
import { failure } from '../../test/support/control-plane.ts'
import { NATIVE_URL } from '../../test/support/database.ts'
import { gate } from '../../test/support/gate.ts'
import { jobWorld } from '../../test/support/job-world.ts'
import { anyTask, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import { createJobQueue, removeUnusedQueues } from './queue.ts'
import { measureQueue } from './queue-state.ts'
import { type NewJob, snoozeFor, type Task } from './task.ts'

/** These are few enough to find waiting jobs soon after a worker's death, and slow enough for a busy machine. */
const QUICK = { leaseRenewMs: 400, leaseStaleMs: 5000 }
// The database is this file's own: other tests' runners would look for the jobs that wait here.
const jobs = jobWorld({ ownDatabase: true, options: QUICK })

const waiting = async (task: Task<null>) => (await jobs.rows(task)).filter(row => row.locked_by === null).length

function limited(task: { name: string }, key: string, max: number, numbers: readonly number[]): NewJob[] {
  return numbers.map(n => ({ task: task.name, payload: { n }, limit: { key, max } }))
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Records concurrent attempts; one lasts a few turns, so that others have the time to join it. */
function witness() {
  const seen = { most: 0, ran: [] as number[], now: 0 }
  return {
    seen,
    async run({ payload }: { payload: { n: number } }) {
      seen.now++
      seen.most = Math.max(seen.most, seen.now)
      await jobs.database.system(tx => tx`select 1`)
      seen.ran.push(payload.n)
      seen.now--
    },
  }
}

const WORKERS = 24

describe('a limit', () => {
  for (const max of [1, 3]) {
    test(`lets ${max} of a key run at once over all processes, about in the order of their coming, and loses none`, async () => {
      const { seen, run: work } = witness()
      const task = testTask({ run: work })
      const numbers = upTo(120)
      await jobs.enqueue(...limited(task, randomUUID(), max, numbers))
      for (let n = 0; n < 3; n++) await jobs.run(task, { concurrency: WORKERS / 3 })
      await until('all ran', jobs.gone(task))
      expect(seen.most).toBeLessThanOrEqual(max)
      expect(seen.ran.toSorted((a, b) => a - b)).toEqual(numbers)
      // Jobs that workers fetched at the same moment may take the place in any order among themselves.
      const displaced = seen.ran.filter((n, position) => Math.abs(position - n) > WORKERS)
      if (max === 1) expect(displaced).toEqual([])
    })
  }

  test('of one key that hangs costs jobs of other keys, and those without, nothing', async () => {
    const { open, opened } = gate()
    const ran: number[] = []
    const task = testTask({
      async run({ payload }) {
        if (payload.n < 1000) await opened
        else ran.push(payload.n)
      },
    })
    // There are far more than workers, and all come before the others.
    const hanging = randomUUID()
    await jobs.enqueue(...limited(task, hanging, 2, upTo(300)))
    await jobs.run(task, { concurrency: 4 })
    await until('two hang', async () => (await waiting(task)) === 298)
    await jobs.enqueue(
      ...limited(task, randomUUID(), 2, [1000, 1001]),
      ...[1002, 1003].map(n => ({ task: task.name, payload: { n } })),
    )
    await until('the others ran', async () => ran.length === 4)
    expect(await waiting(task)).toBe(298)
    open()
    await until('all ran', jobs.gone(task))
  })

  test('gives the place on when an attempt fails, is snoozed or is tried again later', async () => {
    const attempts = new Map<number, number>()
    const task = testTask({
      maxAttempts: 2,
      backoff: { delaysMs: [1], jitter: 0 },
      async run({ payload: { n }, attempt }) {
        attempts.set(n, attempt)
        if (n === 0 && attempt === 1) throw new Error('once')
        if (n === 1) throw new Error('each time')
        if (n === 2 && attempts.get(-2) === undefined) {
          attempts.set(-2, attempt)
          return snoozeFor(0)
        }
      },
      exhausted: async () => undefined,
    })
    await jobs.enqueue(...limited(task, randomUUID(), 1, upTo(6)))
    await jobs.run(task)
    await until('all are through', jobs.gone(task))
    expect([...attempts].filter(([n]) => n >= 0).toSorted()).toEqual([
      [0, 2],
      [1, 2],
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 1],
    ])
  })

  test('of a job for later takes no place before it is due', async () => {
    const ran: number[] = []
    const task = testTask({ run: async ({ payload }) => void ran.push(payload.n) })
    const key = randomUUID()
    const runAt = new Date(Date.now() + 3_600_000)
    await jobs.enqueue(...limited(task, key, 1, [1]).map(job => ({ ...job, runAt })))
    await jobs.enqueue(...limited(task, key, 1, [0]))
    await jobs.run(task)
    await until('only the later one is left', async () => (await jobs.rows(task)).length === 1)
    expect(ran).toEqual([0])
  })

  test('lets a waiting job be replaced under its key, also by one without a limit', async () => {
    const { open, opened } = gate()
    const ran: number[] = []
    const task = testTask({
      async run({ payload }) {
        if (payload.n === 0) await opened
        ran.push(payload.n)
      },
    })
    const limit = { key: randomUUID(), max: 1 }
    const job = (n: number, key?: string): NewJob => ({
      ...{ task: task.name, payload: { n }, limit },
      ...(key ? { key } : {}),
    })
    await jobs.enqueue(job(0))
    await jobs.run(task)
    await until('the first runs', async () => (await waiting(task)) === 0)
    const [kept, freed] = [randomUUID(), randomUUID()]
    await jobs.enqueue(job(1, kept), job(2, freed))
    await jobs.enqueue(job(3, kept), { task: task.name, payload: { n: 4 }, key: freed })
    await until('the one without a limit ran', async () => ran.includes(4))
    expect(await waiting(task)).toBe(1)
    open()
    await until('all ran', jobs.gone(task))
    expect(ran).toEqual([4, 0, 3])
  })
})

test('a workspace with many jobs holds four places for a plugin over all processes, and those of others are served', async () => {
  const { open, opened } = gate()
  const schema = Type.Object({ workspace_id: Type.String() })
  const [busy, quiet] = [randomUUID(), randomUUID()]
  let running = 0
  let served = 0
  const task = anyTask(schema, {
    async run({ payload }) {
      if (payload.workspace_id === quiet) served++
      else {
        running++
        await opened
      }
    },
  })
  const jobOf = (workspace_id: string): NewJob => ({ task: task.name, payload: { workspace_id } })
  await jobs.enqueue(...upTo(100).map(() => jobOf(busy)))
  for (let n = 0; n < 2; n++) await jobs.run(task, { concurrency: 4 })
  await until('its places are taken', async () => running === 4)
  await jobs.enqueue(...upTo(10).map(() => jobOf(quiet)))
  await until('the others are served', async () => served === 10)
  expect(running).toBe(4)
  open()
  await until('all ran', jobs.gone(task))
  expect(running).toBe(100)
})

test('queues without jobs are removed, unless jobs are being added', async () => {
  const task = testTask({ run: async () => undefined })
  const unused = () =>
    jobs.database.system(
      tx => tx`
        select
        from graphile_worker._private_job_queues as queue
        where not exists (select from graphile_worker._private_jobs as job where job.job_queue_id = queue.id)`,
    )
  await jobs.enqueue(...limited(task, randomUUID(), 1, [1]))
  await jobs.run(task)
  await until('it ran', jobs.gone(task))
  const adding = jobs.database.system(async tx => {
    await createJobQueue().enqueue(tx, limited(task, randomUUID(), 1, [2]))
    // The embedded database has one connection, on which nobody can be in the way.
    if (NATIVE_URL) expect(await removeUnusedQueues(jobs.storage.pool)).toBe(false)
  })
  await adding
  await until('it ran as well', jobs.gone(task))
  await until('they are removed', async () => {
    await removeUnusedQueues(jobs.storage.pool)
    return (await unused()).length === 0
  })
})

test.each([
  [{ key: '', max: 1 }, "a limit's key"],
  [{ key: 'x'.repeat(201), max: 1 }, "a limit's key"],
  [{ key: 'x', max: 0 }, 'a whole number'],
  [{ key: 'x', max: 1.5 }, 'a whole number'],
  [{ key: 'x', max: 1001 }, 'a whole number'],
])('a limit that makes no sense is refused: %p', async (limit, message) => {
  const added = failure(jobs.enqueue({ task: 'tests:limits', payload: {}, limit }))
  expect((await added)?.message).toContain(message)
})

test('each state of jobs is counted', async () => {
  await jobs.database.system(tx => tx`delete from graphile_worker._private_jobs`)
  const task = testTask({ run: async () => undefined })
  const counted = async () => {
    const registry = new Registry()
    measureQueue(registry, jobs.database)
    const [metric] = await registry.getMetricsAsJSON()
    const own = metric?.values.filter(({ labels }) => labels.task === task.name) ?? []
    return Object.fromEntries(own.map(({ labels, value }) => [labels.state, value]))
  }
  await jobs.enqueue(...limited(task, randomUUID(), 1, upTo(100)))
  expect(await counted()).toEqual({ due: 100 })
  const runAt = new Date(Date.now() + 3_600_000)
  await jobs.enqueue(...upTo(50).map(n => ({ task: task.name, payload: { n }, runAt })))
  expect(await counted()).toEqual({ due: 100, later: 50 })
  await jobs.database.system(async tx => {
    await tx`
      update graphile_worker._private_jobs
      set attempts = max_attempts, flags = flags || '{"failed": true}'
      where id in (select id from graphile_worker._private_jobs where run_at > now() limit 40)`
    await tx`
      update graphile_worker._private_jobs
      set locked_by = 'somebody', locked_at = now()
      where id in (select id from graphile_worker._private_jobs where is_available and run_at > now())`
  })
  expect(await counted()).toEqual({ due: 100, running: 10, failed: 40 })
})
