import { describe, expect, test } from 'bun:test'
import { controlPlane } from '../../test/support/control-plane.ts'
import { enqueue, hurry, rowsOf, startRunner, testClock, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import { delayAfter } from './backoff.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const error = new Error('no')

describe('the wait after a failure', () => {
  test('follows the list, whose last delay repeats, varied by the share of jitter at the most', () => {
    const backoff = { delaysMs: [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR], jitter: 0.2 }
    const waits = (chance: number) =>
      [1, 2, 3, 4, 5, 9].map(attempt => delayAfter(backoff, attempt, error, () => chance))
    const exact = [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 6 * HOUR, 6 * HOUR]
    expect(waits(0.5)).toEqual(exact)
    expect(waits(0)).toEqual(exact.map(ms => Math.round(ms * 0.8)))
    expect(waits(0.75)).toEqual(exact.map(ms => Math.round(ms * 1.1)))
  })

  test('can be computed from the attempt and its error', () => {
    const backoff = {
      delaysMs: (attempt: number, { message }: Error) => attempt * Number(message),
      jitter: 0,
    }
    expect(delayAfter(backoff, 3, new Error('500'), Math.random)).toBe(1500)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300])('is never more than a year: %p', given => {
    expect(delayAfter({ delaysMs: () => given, jitter: 0 }, 1, error, Math.random)).toBe(365 * 24 * HOUR)
  })

  test('is never negative, so that a job cannot go before those that waited', () => {
    expect(delayAfter({ delaysMs: () => -5 }, 1, error, Math.random)).toBe(0)
  })
})

describe('a task with a schedule of its own', () => {
  test('has each try put off by it, to the millisecond, until it is given up', async () => {
    const { storage } = await controlPlane()
    const attempts: number[] = []
    const reports: string[] = []
    const task = testTask({
      maxAttempts: 4,
      backoff: { delaysMs: [MINUTE, 10 * MINUTE, HOUR], jitter: 0.2 },
      async run({ attempt }) {
        attempts.push(attempt)
        throw new Error(`failure ${attempt}`)
      },
      async exhausted(_, { message }) {
        reports.push(message)
      },
    })
    const clock = testClock({ now: new Date('2040-01-01T00:00:00Z'), random: 1 })
    await enqueue(storage.database, { task: task.name, payload: { n: 1 } })
    const runner = await startRunner(storage, task, { clock })
    try {
      for (const [n, waitMs] of [MINUTE, 10 * MINUTE, HOUR].entries()) {
        const row = await until('it waits', async () => {
          const [found] = await rowsOf(storage.database, task.name)
          return found?.attempts === n + 1 && !found.locked_by ? found : undefined
        })
        expect(row.run_at).toEqual(new Date(clock.now().getTime() + 1.2 * waitMs))
        expect(row.last_error).toBe(`failure ${n + 1}`)
        await hurry(storage.database, task.name)
      }
      await until('it is given up', async () => (await rowsOf(storage.database, task.name)).length === 0)
    } finally {
      await runner.stop(500)
    }
    expect(attempts).toEqual([1, 2, 3, 4])
    expect(reports).toEqual(['failure 4'])
  })

  test.each([
    [{ delaysMs: [] }, 'lists delays'],
    [{ delaysMs: [-1] }, 'lists delays'],
    [{ delaysMs: [Number.NaN] }, 'lists delays'],
    [{ delaysMs: [1], jitter: 1.5 }, 'a share from 0 to 1'],
  ])('is refused at start when the schedule makes no sense: %p', async (backoff, message) => {
    const { storage } = await controlPlane()
    const task = testTask({ backoff, run: async () => undefined })
    const start = startRunner(storage, task)
    await expect(start).rejects.toThrow(message)
    await expect(start).rejects.toThrow(task.name)
  })
})
