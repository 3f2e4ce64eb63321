import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane } from '../test/support/control-plane.ts'
import type { Database } from './db/database.ts'
import { EVENT_DAYS, housekeepingCron, housekeepingTasks } from './housekeeping.ts'
import { createJobQueue } from './jobs/queue.ts'
import { createLog } from './log.ts'

async function purge(database: Database): Promise<void> {
  const [mounted] = housekeepingTasks({ database, log: createLog('silent') })
  expect(housekeepingCron.map(entry => entry.task)).toEqual([mounted?.task.name ?? ''])
  await mounted?.task.run({
    payload: {} as never,
    scope: mounted.scope as never,
    attempt: 1,
    maxAttempts: 1,
    signal: new AbortController().signal,
  })
}

test('the hourly purge removes events past their time and leaves the others', async () => {
  const { database } = (await controlPlane()).storage
  const workspaceId = randomUUID()
  const ages = [0, EVENT_DAYS - 1, EVENT_DAYS + 1, EVENT_DAYS + 100]
  await database.system(async tx => {
    // In hours: where the clocks change, not every day has 24.
    for (const days of ages) {
      await tx`
        insert into core.event (workspace_id, id, kind, created_at)
        values (${workspaceId}, ${randomUUID()}, 'x.y', now() - make_interval(hours => ${24 * days}))`
    }
  })
  await purge(database)
  const left = await database.system(
    tx => tx<{ days: number }[]>`
      select extract(day from now() - created_at)::int as days
      from core.event where workspace_id = ${workspaceId} order by created_at desc`,
  )
  expect(left.map(row => row.days)).toEqual([0, EVENT_DAYS - 1])
})

test('deliveries to subscribers that no process has any more go after a week, other jobs stay', async () => {
  const { database } = (await controlPlane()).storage
  const queue = createJobQueue()
  const gone = `core:deliver:gone:${randomUUID()}`
  const other = `gone:${randomUUID()}`
  const waiting = () =>
    database.system(
      tx => tx<{ task: string; days: number }[]>`
        select task.identifier as task, extract(day from now() - job.created_at)::int as days
        from graphile_worker._private_jobs as job
        join graphile_worker._private_tasks as task on task.id = job.task_id
        where task.identifier in (${gone}, ${other})
        order by task.identifier, days`,
    )
  await database.system(async tx => {
    const jobs = [gone, gone, other].map(task => ({ task, payload: {}, runAt: new Date(Date.now() + 3_600_000) }))
    await queue.enqueue(tx, jobs)
    const [first] = await tx<{ id: string }[]>`
      select min(job.id) as id
      from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = job.task_id
      where task.identifier = ${gone}`
    await tx`
      update graphile_worker._private_jobs
      set created_at = now() - interval '192 hours'
      where id = ${first?.id ?? ''}
        or task_id = (select id from graphile_worker._private_tasks where identifier = ${other})`
  })
  await purge(database)
  expect([...(await waiting())]).toEqual([
    { task: gone, days: 0 },
    { task: other, days: 8 },
  ])
})
