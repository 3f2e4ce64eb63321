import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane } from '../test/support/control-plane.ts'
import { EVENT_DAYS, housekeepingCron, housekeepingTasks } from './housekeeping.ts'
import { createLog } from './log.ts'

test('the hourly purge removes events past their time and leaves the others', async () => {
  const { database } = (await controlPlane()).storage
  const workspaceId = randomUUID()
  const ages = [0, EVENT_DAYS - 1, EVENT_DAYS + 1, EVENT_DAYS + 100]
  await database.system(async tx => {
    for (const days of ages) {
      await tx`
        insert into core.event (workspace_id, id, kind, created_at)
        values (${workspaceId}, ${randomUUID()}, 'x.y', now() - ${days}::int * interval '1 day')`
    }
  })
  const [purge] = housekeepingTasks({ database, log: createLog('silent') })
  expect(housekeepingCron.map(entry => entry.task)).toEqual([purge?.task.name ?? ''])
  await purge?.task.run({
    payload: {} as never,
    scope: purge.scope as never,
    attempt: 1,
    maxAttempts: 1,
    signal: new AbortController().signal,
  })
  const left = await database.system(
    tx => tx<{ days: number }[]>`
      select extract(day from now() - created_at)::int as days
      from core.event where workspace_id = ${workspaceId} order by created_at desc`,
  )
  expect(left.map(row => row.days)).toEqual([0, EVENT_DAYS - 1])
})
