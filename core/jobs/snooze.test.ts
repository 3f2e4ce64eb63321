import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane } from '../../test/support/control-plane.ts'
import { gate } from '../../test/support/gate.ts'
import { enqueue, hurry, rowsOf, startRunner, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import type { Database } from '../db/database.ts'
import type { Storage } from '../db/storage.ts'
import type { JobRunner } from './runner.ts'
import { snoozeUntil, type Task } from './task.ts'

const LATER = new Date('2090-05-06T07:08:09Z')

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

const run = async (task: Task<null>) => void runners.push(await startRunner(storage, task))
const gone = (task: Task<null>) => async () => (await rowsOf(database, task.name)).length === 0
const waiting = (task: Task<null>) => async () => (await rowsOf(database, task.name)).find(row => !row.locked_by)

describe('a snoozed job', () => {
  test('comes again at the instant it names, and no attempt is used up', async () => {
    const attempts: number[] = []
    const task = testTask({
      maxAttempts: 2,
      async run({ attempt }) {
        attempts.push(attempt)
        if (attempts.length < 4) return snoozeUntil(LATER)
      },
    })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    await run(task)
    for (let n = 0; n < 3; n++) {
      const row = await until('it is snoozed', async () => (attempts.length > n ? waiting(task)() : undefined))
      expect(row).toMatchObject({ run_at: LATER, attempts: 0 })
      await hurry(database, task.name)
    }
    await until('it is done', gone(task))
    expect(attempts).toEqual([1, 1, 1, 1])
  })

  test('of an instant that has passed comes again at once, behind nothing', async () => {
    let runs = 0
    const task = testTask({
      async run() {
        runs++
        return runs < 50 ? snoozeUntil(new Date(0)) : undefined
      },
    })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    // There would be no second look at the queue while the test lasts: each snooze announces itself.
    runners.push(await startRunner(storage, task, { pollMs: 300_000 }))
    await until('it is done', gone(task))
    expect(runs).toBe(50)
  })

  test('keeps the failures it had, unless it has got on', async () => {
    const attempts: number[] = []
    let progressed = false
    const task = testTask({
      maxAttempts: 3,
      backoff: { delaysMs: [0], jitter: 0 },
      async run({ attempt }) {
        attempts.push(attempt)
        if (attempts.length === 1 || attempts.length === 3) throw new Error('no')
        if (attempts.length === 5) return
        const had = progressed
        progressed = true
        return snoozeUntil(new Date(), { progressed: had })
      },
    })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    await run(task)
    await until('it is done', gone(task))
    expect(attempts).toEqual([1, 2, 2, 3, 1])
  })

  test('keeps its key: a job added under it runs in its stead', async () => {
    const ran: number[] = []
    const task = testTask({
      async run({ payload }) {
        ran.push(payload.n)
        return payload.n === 1 ? snoozeUntil(LATER) : undefined
      },
    })
    const key = randomUUID()
    await enqueue(database, { task: task.name, payload: { n: 1 }, key })
    await run(task)
    await until('it is snoozed', async () => (ran.length > 0 ? waiting(task)() : undefined))
    await enqueue(database, { task: task.name, payload: { n: 2 }, key })
    await until('it is done', gone(task))
    expect(ran).toEqual([1, 2])
  })

  test('that was replaced while it ran does not come again', async () => {
    const ran: number[] = []
    const { open, opened } = gate()
    const task = testTask({
      async run({ payload }) {
        ran.push(payload.n)
        if (payload.n === 2) return
        await opened
        return snoozeUntil(new Date(0))
      },
    })
    const key = randomUUID()
    await enqueue(database, { task: task.name, payload: { n: 1 }, key })
    await run(task)
    await until('it runs', async () => ran.length === 1)
    await enqueue(database, { task: task.name, payload: { n: 2 }, key })
    await until('its successor ran', async () => ran.length === 2)
    open()
    await until('both are gone', gone(task))
    expect(ran).toEqual([1, 2])
  })

  test('survives the death of the process that snoozed it', async () => {
    const task = testTask({ run: async () => snoozeUntil(LATER) })
    await enqueue(database, { task: task.name, payload: { n: 1 } })
    await run(task)
    const row = await until('it is snoozed', async () => {
      const [found] = await rowsOf(database, task.name)
      return found?.run_at.getTime() === LATER.getTime() ? found : undefined
    })
    // Nothing of it is held by the process: another finds it as it would find any job for later.
    expect(row).toMatchObject({ locked_by: null, attempts: 0, run_at: LATER })
  })

  test('cannot be put off until nonsense', () => {
    expect(() => snoozeUntil(new Date('soon'))).toThrow('invalid date')
  })
})
