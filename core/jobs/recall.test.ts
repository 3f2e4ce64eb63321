import { expect, test } from 'bun:test'
import { controlPlane } from '../../test/support/control-plane.ts'
import { gate } from '../../test/support/gate.ts'
import { enqueue, rowsOf, startRunner, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'
import { Recall } from './recall.ts'

test('jobs that found no place all run once, as soon as there is one', async () => {
  const { storage } = await controlPlane()
  const { open, opened } = gate()
  const ran: number[] = []
  const slow = testTask({
    async run({ payload }) {
      if (payload.n < 3) await opened
      ran.push(payload.n)
    },
  })
  const runner = await startRunner(storage, slow, { tasks: [{ task: slow, owner: 'weather', scope: null }] })
  try {
    await enqueue(storage.database, ...Array.from({ length: 30 }, (_, n) => ({ task: slow.name, payload: { n } })))
    // The longer the first ones take, the later the others would come by themselves.
    const latest = await until('the last is put off for long', async () => {
      const times = (await rowsOf(storage.database, slow.name)).map(row => row.run_at.getTime())
      return Math.max(...times) > Date.now() + 20_000 && Math.max(...times)
    })
    open()
    await until('all ran', async () => ran.length >= 30)
    expect(Date.now()).toBeLessThan(latest)
    expect(ran.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n))
  } finally {
    open()
    await runner.stop(500)
  }
})

test('a job that was put off is due at once, but not one that has been put off otherwise since', async () => {
  const { database } = (await controlPlane()).storage
  const task = testTask({ run: async () => undefined })
  const inAnHour = (n: number) => ({ task: task.name, payload: { n }, inMs: 3_600_000 + n })
  await enqueue(database, inAnHour(0), inAnHour(1), inAnHour(2))
  const rows = () =>
    database.system(
      tx => tx<{ id: string; run_at: string; due: boolean }[]>`
        select job.id::text, job.run_at::text, job.run_at <= now() as due
        from graphile_worker._private_jobs as job
        join graphile_worker._private_tasks as task on task.id = job.task_id
        where task.identifier = ${task.name}
        order by job.id`,
    )
  const [first, retried, last] = await rows()
  await database.system(
    tx => tx`
      update graphile_worker._private_jobs set run_at = now() + interval '2 hours' where id = ${retried?.id ?? ''}::bigint`,
  )
  // A place for one at a time: the first that is not due any more leaves it to the next.
  const line = [retried, first, last].map(row => ({ id: row?.id ?? '', runAt: row?.run_at ?? '' }))
  const { promise: looked, resolve: look } = Promise.withResolvers<void>()
  new Recall(database, () => line.splice(0, 1), look).soon('weather')
  await looked
  expect((await rows()).map(({ due }) => due)).toEqual([true, false, false])
  expect(line).toHaveLength(1)
})
