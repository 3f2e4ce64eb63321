import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { gate } from '../../test/support/gate.ts'
import { jobWorld } from '../../test/support/job-world.ts'
import { testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import { examine, release } from '../doctor.ts'
import { purgeSpentJobs } from './failed-jobs.ts'
import { snoozeFor, type Task } from './task.ts'

const jobs = jobWorld({ ownDatabase: true })

const findingsOf = async ({ name }: Task<null>) => {
  const { findings } = await jobs.database.system(examine)
  return findings.filter(({ what }) => what === name)
}
const failed = (task: Task<null>) => until('it is given up', async () => (await findingsOf(task))[0])
const purge = () => jobs.database.system(purgeSpentJobs)
const age = (hours: number) =>
  jobs.database.system(
    tx => tx`update graphile_worker._private_jobs set updated_at = now() - ${hours}::int * interval '1 hour'`,
  )

test('a job that failed for good is shown to an operator, who has it tried again', async () => {
  const attempts: number[] = []
  const task = testTask({
    maxAttempts: 2,
    backoff: { delaysMs: [0] },
    async run({ attempt }) {
      attempts.push(attempt)
      if (attempts.length < 3) throw new Error('the disk is full\u0000')
    },
  })
  await jobs.enqueue({ task: task.name, payload: { n: 1 } })
  await jobs.run(task)
  const finding = await failed(task)
  expect(finding).toMatchObject({ kind: 'failed job', error: 'the disk is full', attempts: 2 })
  expect(await jobs.database.system(tx => release(tx, finding.id ?? ''))).toBe(true)
  await until('it is done', jobs.gone(task))
  expect(attempts).toEqual([1, 2, 1])
  expect(await jobs.database.system(tx => release(tx, finding.id ?? ''))).toBe(false)
})

test('a job whose payload does not fit is shown at once, and runs once a version takes it', async () => {
  const ran: unknown[] = []
  const task = testTask({ run: async ({ payload }) => void ran.push(payload) })
  await jobs.enqueue({ task: task.name, payload: { m: 1 } })
  const before = await jobs.run(task)
  const finding = await failed(task)
  expect(finding).toMatchObject({
    kind: 'failed job',
    error: 'its payload is not what the task expects: n is required',
  })
  await before.stop(500)
  expect(await jobs.database.system(tx => release(tx, finding.id ?? ''))).toBe(true)
  await jobs.run({ ...task, payload: Type.Object({ m: Type.Integer() }) })
  await until('it is done', jobs.gone(task))
  expect(ran).toEqual([{ m: 1 }])
})

test('a job that is tried again has not waited yet', async () => {
  const told: (Date | undefined)[] = []
  const task = testTask({
    maxAttempts: 1,
    async run({ waitingSince }) {
      told.push(waitingSince)
      if (told.length === 1) return snoozeFor(0)
      if (told.length === 2) throw new Error('no')
    },
  })
  await jobs.enqueue({ task: task.name, payload: { n: 1 } })
  await jobs.run(task)
  const { id = '' } = await failed(task)
  expect(await jobs.database.system(tx => release(tx, id))).toBe(true)
  await until('it is done', jobs.gone(task))
  expect(told).toEqual([undefined, expect.any(Date), undefined])
})

test('jobs that were replaced take no place of those that failed', async () => {
  const task = testTask({ maxAttempts: 1, run: () => Promise.reject(new Error('no')) })
  await jobs.enqueue({ task: task.name, payload: { n: 1 } })
  await jobs.run(task)
  await failed(task)
  const [row] = await jobs.rows(task)
  await jobs.database.system(
    tx => tx`
      insert into graphile_worker._private_jobs (task_id, attempts, max_attempts)
      select job.task_id, 1, 1
      from graphile_worker._private_jobs as job, generate_series(1, 1000)
      where job.id = ${row?.id ?? ''}::bigint`,
  )
  expect(await purge()).toBe(0)
  await age(2)
  expect(await purge()).toBe(1000)
  expect(await findingsOf(task)).toHaveLength(1)
  await age(7 * 24 + 1)
  expect(await purge()).toBe(1)
})

test('the hourly purge keeps it for a week', async () => {
  const task = testTask({ maxAttempts: 1, run: () => Promise.reject(new Error('no')) })
  await jobs.enqueue({ task: task.name, payload: { n: 1 } })
  await jobs.run(task)
  await failed(task)
  await age(7 * 24 - 1)
  expect(await purge()).toBe(0)
  await age(7 * 24 + 1)
  expect(await purge()).toBe(1)
})

test('a job that was replaced since it failed is left to its successor', async () => {
  const task = testTask({ maxAttempts: 1, run: () => Promise.reject(new Error('no')) })
  const job = { task: task.name, payload: { n: 1 }, key: task.name }
  await jobs.enqueue(job)
  await jobs.run(task)
  await failed(task)
  await jobs.enqueue({ ...job, inMs: 3_600_000 })
  expect(await findingsOf(task)).toEqual([])
  await age(2)
  expect(await purge()).toBe(1)
  expect(await jobs.rows(task)).toHaveLength(1)
})

test('a job that was replaced while it ran, and then fails, leaves nothing behind', async () => {
  const { open, opened } = gate()
  const started: number[] = []
  const task = testTask({
    async run({ payload }) {
      started.push(payload.n)
      await opened
      throw new Error('no')
    },
  })
  const job = { task: task.name, payload: { n: 1 }, key: task.name }
  await jobs.enqueue(job)
  await jobs.run(task)
  await until('it runs', async () => started.length === 1)
  await jobs.enqueue({ ...job, inMs: 3_600_000 })
  open()
  await until('only its successor is left', async () => (await jobs.rows(task)).length === 1)
  expect(await findingsOf(task)).toEqual([])
})

test('a failed job of a schedule is left to the next one', async () => {
  const task = testTask({ maxAttempts: 1, run: () => Promise.reject(new Error('no')) })
  const payload = { n: 1, _cron: { ts: new Date().toISOString(), backfilled: false } }
  await jobs.enqueue({ task: task.name, payload })
  await jobs.run(task)
  await until('it is gone', jobs.gone(task))
})
