import { expect, test } from 'bun:test'
import { controlPlane } from '../../test/support/control-plane.ts'
import { gate } from '../../test/support/gate.ts'
import { enqueue, rowsOf, startRunner, testTask } from '../../test/support/jobs.ts'
import { until } from '../../test/support/wait.ts'

test('jobs that found no place run as soon as there is one, however late they were estimated to come', async () => {
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
  const rows = () => rowsOf(storage.database, slow.name)
  try {
    await enqueue(storage.database, ...Array.from({ length: 30 }, (_, n) => ({ task: slow.name, payload: { n } })))
    await until('the others were put off', async () => {
      const waiting = (await rows()).filter(row => row.locked_by === null && row.run_at > new Date())
      return waiting.length === 27
    })
    // By now they would come in an hour; only a free place brings them back.
    await storage.database.system(
      tx => tx`
        update graphile_worker._private_jobs as job
        set run_at = now() + interval '1 hour'
        from graphile_worker._private_tasks as task
        where task.id = job.task_id and task.identifier = ${slow.name} and job.locked_by is null`,
    )
    open()
    await until('all ran', async () => ran.length === 30)
    expect(ran.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n))
  } finally {
    open()
    await runner.stop(500)
  }
})
