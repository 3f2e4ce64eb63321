import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { failure } from '../../test/support/control-plane.ts'
import { gate } from '../../test/support/gate.ts'
import { jobWorld } from '../../test/support/job-world.ts'
import { testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import { measureQueue } from './queue-metrics.ts'
import { type NewJob, snoozeFor, type Task } from './task.ts'

/** These are few enough to find waiting jobs soon after a worker's death, and slow enough for a busy machine. */
const QUICK = { leaseRenewMs: 400, leaseStaleMs: 5000 }
/** From so many jobs of a key on, further ones are parked when they are added. */
const LINE = 32

// The database is this file's own: other tests' runners would look for the jobs that wait here.
const jobs = jobWorld({ ownDatabase: true, options: QUICK })

const parked = async (task: Task<null>) => (await jobs.rows(task)).filter(row => row.locked_by === 'core:parked').length
const places = () => jobs.database.system(tx => tx`select job_id from core.job_place`)

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
      expect(await places()).toHaveLength(0)
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
    await until('two hang', async () => (await parked(task)) === 298)
    await jobs.enqueue(
      ...limited(task, randomUUID(), 2, [1000, 1001]),
      ...[1002, 1003].map(n => ({ task: task.name, payload: { n } })),
    )
    await until('the others ran', async () => ran.length === 4)
    expect(await parked(task)).toBe(298)
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
    expect(await places()).toHaveLength(0)
  })

  test('of a job for later counts from when it is due', async () => {
    const { open, opened } = gate()
    const ran: number[] = []
    const task = testTask({
      async run({ payload }) {
        if (payload.n === 0) await opened
        ran.push(payload.n)
      },
    })
    const runAt = new Date(Date.now() + 3_600_000)
    await jobs.enqueue(...limited(task, 'later', 1, [1]).map(job => ({ ...job, runAt })))
    await jobs.enqueue(...limited(task, 'later', 1, [0]))
    await jobs.run(task)
    await until('the first runs', async () => (await places()).length === 1)
    expect(await parked(task)).toBe(0)
    open()
    await until('only the later one is left', async () => (await jobs.rows(task)).length === 1)
    expect(ran).toEqual([0])
  })

  test('parks a burst with its adding, so that it does not pass through the workers', async () => {
    const task = testTask({ run: async () => undefined })
    await jobs.enqueue(...limited(task, randomUUID(), 1, upTo(500)))
    expect(await parked(task)).toBe(500 - LINE)
    await jobs.run(task)
    await until('all ran', jobs.gone(task))
  })

  test('lets a parked job be replaced under its key', async () => {
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
      task: task.name,
      payload: { n },
      limit,
      ...(key ? { key } : {}),
    })
    await jobs.enqueue(job(0))
    await jobs.run(task)
    await until('the first runs', async () => (await places()).length === 1)
    const key = randomUUID()
    await jobs.enqueue(job(1, key))
    await until('the second is parked', async () => (await parked(task)) === 1)
    await jobs.enqueue(job(2, key))
    await until('its successor is parked', async () => (await parked(task)) === 1)
    expect(await jobs.rows(task)).toHaveLength(2)
    open()
    await until('all ran', jobs.gone(task))
    expect(ran).toEqual([0, 2])
  })

  test('lets a parked job be replaced by one that is for later, or has no limit, without keeping its place', async () => {
    const { open, opened } = gate()
    const ran: number[] = []
    const task = testTask({
      async run({ payload }) {
        if (payload.n === 0) await opened
        ran.push(payload.n)
      },
    })
    const limit = { key: randomUUID(), max: 1 }
    const keys = [randomUUID(), randomUUID()]
    await jobs.enqueue({ task: task.name, payload: { n: 0 }, limit })
    await jobs.run(task)
    await until('the first runs', async () => (await places()).length === 1)
    await jobs.enqueue(...keys.map((key, n) => ({ task: task.name, payload: { n: n + 1 }, limit, key })))
    await until('two are parked', async () => (await parked(task)) === 2)
    const runAt = new Date(Date.now() + 3_600_000)
    await jobs.enqueue({ task: task.name, payload: { n: 3 }, limit, key: keys[0] ?? '', runAt })
    await jobs.enqueue({ task: task.name, payload: { n: 4 }, key: keys[1] ?? '' })
    await until('the one without a limit ran', async () => ran.includes(4))
    expect(await places()).toHaveLength(1)
    open()
    await until('only the later one is left', async () => (await jobs.rows(task)).length === 1)
    expect(ran).toEqual([4, 0])
    expect(await places()).toHaveLength(0)
  })
})

describe('a worker that dies', () => {
  test('leaves its place to the next in line', async () => {
    const ran: number[] = []
    const task = testTask({ run: async ({ payload }) => void ran.push(payload.n) })
    await jobs.enqueue(...limited(task, 'dead', 1, [0, 1, 2]))
    // A killed process leaves a lock, a place and others in line. Nobody renews its lease.
    const ids = (await jobs.rows(task)).map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b))
    for (const id of ids) {
      const [row] = await jobs.database.system(async tx => {
        await tx`update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() where id = ${id}::text::bigint`
        return tx`select core.take_job_place(${id}::text::bigint, 'dead', 1, 'dead') as taken`
      })
      expect(row).toEqual({ taken: id === ids[0] })
    }
    await jobs.database.system(
      tx => tx`insert into core.worker_lease (worker, renewed_at) values ('dead', now() - interval '1 minute')`,
    )
    expect(await parked(task)).toBe(2)
    await jobs.run(task)
    await until('all ran', jobs.gone(task))
    expect(ran.toSorted()).toEqual([0, 1, 2])
    await until('no place is left', async () => (await places()).length === 0)
  })

  test('and the only process there can be finds the line as it was', async () => {
    const ran: number[] = []
    const task = testTask({ run: async ({ payload }) => void ran.push(payload.n) })
    await jobs.enqueue(...limited(task, randomUUID(), 2, upTo(100)))
    expect(await parked(task)).toBe(100 - LINE)
    await jobs.run(task, { alone: true })
    await until('all ran', jobs.gone(task))
    expect(ran.toSorted((a, b) => a - b)).toEqual(upTo(100))
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

test('jobs behind a limit are counted as parked, and each state by itself', async () => {
  // Tests before leave jobs for later.
  await jobs.database.system(tx => tx`delete from graphile_worker._private_jobs`)
  const task = testTask({ run: async () => undefined })
  await jobs.enqueue(...limited(task, randomUUID(), 1, upTo(100)))
  const counted = async (max?: number) => {
    const registry = new Registry()
    measureQueue(registry, jobs.database, max)
    const [metric] = await registry.getMetricsAsJSON()
    const own = metric?.values.filter(({ labels }) => labels.task === task.name) ?? []
    return Object.fromEntries(own.map(({ labels, value }) => [labels.state, value]))
  }
  expect(await counted()).toEqual({ due: LINE, parked: 100 - LINE })
  const runAt = new Date(Date.now() + 3_600_000)
  await jobs.enqueue(...upTo(50).map(n => ({ task: task.name, payload: { n }, runAt })))
  expect(await counted(20)).toEqual({ due: 20, later: 20, parked: 20 })
  await jobs.database.system(async tx => {
    await tx`
      update graphile_worker._private_jobs
      set attempts = max_attempts, flags = '{"failed": {"key": null}}'
      where id in (select id from graphile_worker._private_jobs where run_at > now() limit 40)`
    await tx`
      update graphile_worker._private_jobs
      set locked_by = 'somebody', locked_at = now()
      where id in (select id from graphile_worker._private_jobs where is_available and run_at > now())`
  })
  expect(await counted(20)).toEqual({ due: 20, parked: 20, running: 10, failed: 20 })
})
