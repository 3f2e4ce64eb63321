import { expect, test } from 'bun:test'
import { controlPlane } from '../../test/support/control-plane.ts'
import { enqueue, rowsOf, startRunner, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'

test('jobs run in the order of their priority, then of their time, also those that are fetched together', async () => {
  const { storage } = await controlPlane()
  const started: number[] = []
  const task = testTask({ run: async ({ payload }) => void started.push(payload.n) })
  // Stored in another order than they are due in.
  const places = Array.from({ length: 400 }, (_, n) => (n * 149) % 400)
  const jobs = places.map(n => ({
    task: task.name,
    payload: { n },
    priority: Math.floor(n / 100),
    runAt: new Date(1_700_000_000_000 + n * 1_000),
  }))
  await enqueue(storage.database, ...jobs)
  const runner = await startRunner(storage, task, { concurrency: 16 })
  try {
    await until('all ran', async () => (await rowsOf(storage.database, task.name)).length === 0)
  } finally {
    await runner.stop(500)
  }
  expect(started).toEqual(places.toSorted((a, b) => a - b))
})
