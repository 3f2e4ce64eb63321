import { describe, expect, setSystemTime, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { gate } from '../../test/support/gate.ts'
import { jobWorld } from '../../test/support/job-world.ts'
import { testClock, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import { snoozeFor, type Task } from './task.ts'

const DAY_MS = 86_400_000
/** Another clock than the database's, whose delays are counted from there. */
const NOW = new Date('2090-05-06T07:08:09Z')
const LATER = new Date(NOW.getTime() + DAY_MS)
const options = { clock: testClock({ now: NOW }) }

const jobs = jobWorld()

const waiting = (task: Task<null>) => async () => (await jobs.rows(task)).find(row => !row.locked_by)

describe('a snoozed job', () => {
  test('comes again after the time it names, and no attempt is used up', async () => {
    const attempts: number[] = []
    const task = testTask({
      maxAttempts: 2,
      async run({ attempt }) {
        attempts.push(attempt)
        if (attempts.length < 4) return snoozeFor(DAY_MS)
      },
    })
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    await jobs.run(task, options)
    for (let n = 0; n < 3; n++) {
      const row = await until('it is snoozed', async () => (attempts.length > n ? waiting(task)() : undefined))
      expect(row).toMatchObject({ run_at: LATER, attempts: 0 })
      await jobs.hurry(task)
    }
    await until('it is done', jobs.gone(task))
    expect(attempts).toEqual([1, 1, 1, 1])
  })

  test('for no time comes again at once, behind nothing', async () => {
    let runs = 0
    const task = testTask({
      async run() {
        runs++
        return runs < 50 ? snoozeFor(0) : undefined
      },
    })
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    // The queue is not looked at again while the test lasts: each snooze announces itself.
    await jobs.run(task, { pollMs: 300_000 })
    await until('it is done', jobs.gone(task))
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
        return snoozeFor(0, { progressed: had })
      },
    })
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    await jobs.run(task)
    await until('it is done', jobs.gone(task))
    expect(attempts).toEqual([1, 2, 2, 3, 1])
  })

  test('is told since when it has waited without getting on', async () => {
    const told: (Date | undefined)[] = []
    const task = testTask({
      async run({ waitingSince }) {
        told.push(waitingSince)
        if (told.length === 4) return snoozeFor(0, { progressed: true })
        return told.length < 6 ? snoozeFor(0) : undefined
      },
    })
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    await jobs.run(task)
    await until('it is done', jobs.gone(task))
    const [first, second, third, fourth, fifth, sixth] = told
    expect([first, third, fourth, fifth]).toEqual([undefined, second, second, undefined])
    expect(sixth?.getTime()).toBeGreaterThan(second?.getTime() ?? Number.NaN)
  })

  test('keeps its key: a job added under it runs in its stead', async () => {
    const ran: number[] = []
    const task = testTask({
      async run({ payload }) {
        ran.push(payload.n)
        return payload.n === 1 ? snoozeFor(DAY_MS) : undefined
      },
    })
    const key = randomUUID()
    await jobs.enqueue({ task: task.name, payload: { n: 1 }, key })
    await jobs.run(task, options)
    await until('it is snoozed', async () => (ran.length > 0 ? waiting(task)() : undefined))
    await jobs.enqueue({ task: task.name, payload: { n: 2 }, key })
    await until('it is done', jobs.gone(task))
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
        return snoozeFor(0)
      },
    })
    const key = randomUUID()
    await jobs.enqueue({ task: task.name, payload: { n: 1 }, key })
    await jobs.run(task)
    await until('it runs', async () => ran.length === 1)
    await jobs.enqueue({ task: task.name, payload: { n: 2 }, key })
    await until('its successor ran', async () => ran.length === 2)
    open()
    await until('both are gone', jobs.gone(task))
    expect(ran).toEqual([1, 2])
  })

  test('survives the death of the process that snoozed it', async () => {
    const task = testTask({ run: async () => snoozeFor(DAY_MS) })
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    await jobs.run(task, options)
    const row = await until('it is snoozed', async () => {
      const [found] = await jobs.rows(task)
      return found?.run_at.getTime() === LATER.getTime() ? found : undefined
    })
    // The process holds nothing of it: another finds it as it would find any job for later.
    expect(row).toMatchObject({ locked_by: null, attempts: 0, run_at: LATER })
  })

  test('cannot be put off for nonsense', () => {
    expect(() => snoozeFor(Number.NaN)).toThrow('a year')
    expect(() => snoozeFor(Number.POSITIVE_INFINITY)).toThrow('a year')
  })

  test('comes again by the clock of the database, however wrong the own one is', async () => {
    let ran = false
    const task = testTask({
      async run() {
        ran = true
        setSystemTime(NOW)
        const snooze = snoozeFor(DAY_MS)
        setSystemTime()
        return snooze
      },
    })
    await jobs.enqueue({ task: task.name, payload: { n: 1 } })
    await jobs.run(task)
    const row = await until('it is snoozed', async () => (ran ? waiting(task)() : undefined))
    expect(row?.run_at.getTime()).toBeGreaterThan(Date.now() + DAY_MS / 2)
    expect(row?.run_at.getTime()).toBeLessThan(Date.now() + DAY_MS * 2)
  })
})
