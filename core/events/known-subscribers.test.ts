import { beforeAll, describe, expect, test } from 'bun:test'
import { openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { idleService } from '../../test/support/service.ts'
import type { Database } from '../db/database.ts'
import { createJobQueue } from '../jobs/queue.ts'
import { noteSubscribers, purgeDeliveries } from './known-subscribers.ts'

const [GONE, HERE, THERE] = ['core:deliver:gone:x', 'core:deliver:here:x', 'core:deliver:there:x'] as const

let database: Database

beforeAll(async () => {
  database = (await openControlPlane(await ownDatabaseUrl())).storage.database
  await note(GONE, HERE)
  await database.system(
    tx => tx`update core.subscriber set seen_at = now() - interval '3 days' where subscriber.task = ${GONE}`,
  )
})

const note = (...tasks: string[]) => database.system(tx => noteSubscribers(tx, tasks))

/** Moves all that was noted, as if the clock had been put forward by so many days, or nobody had run for as long. */
const pass = (days: number) =>
  database.system(tx => tx`update core.subscriber set seen_at = subscriber.seen_at - ${days}::int * interval '1 day'`)

async function daysSince(task: string): Promise<number> {
  const [row] = await database.system(
    tx => tx<{ days: number }[]>`
      select round(extract(epoch from now() - subscriber.seen_at) / 86400)::int as days
      from core.subscriber
      where subscriber.task = ${task}`,
  )
  return row?.days ?? Number.NaN
}

describe('the time since a process had a subscriber', () => {
  test('does not count while no process runs, however many start at once afterwards', async () => {
    await pass(30)
    await Promise.all([note(HERE), note(THERE), note(HERE, THERE)])
    expect([await daysSince(GONE), await daysSince(HERE), await daysSince(THERE)]).toEqual([3, 0, 0])
  })

  test('is right again after a clock that was ahead, or behind', async () => {
    for (const days of [30, -30, -400, 400]) {
      await pass(days)
      await note(HERE)
      expect([days, await daysSince(GONE), await daysSince(HERE)]).toEqual([days, 3, 0])
    }
  })

  test('counts while others run', async () => {
    await database.system(
      tx => tx`
        update core.subscriber set seen_at = subscriber.seen_at - interval '1 hour' where subscriber.task <> ${GONE}`,
    )
    await note(THERE)
    expect([await daysSince(GONE), await daysSince(HERE)]).toEqual([3, 0])
    await database.system(
      tx => tx`update core.subscriber set seen_at = now() - interval '2 days' where subscriber.task = ${HERE}`,
    )
    await note(THERE)
    expect([await daysSince(GONE), await daysSince(HERE)]).toEqual([3, 2])
  })
})

test('deliveries that failed before their subscriber was removed are deleted too, those under way and of others stay', async () => {
  const [tried, other] = ['core:deliver:tried:x', 'core:deliver:untouched:x']
  const left = await database.system(async tx => {
    await noteSubscribers(tx, [tried, other])
    await tx`update core.subscriber set seen_at = now() - interval '8 days' where subscriber.task = ${tried}`
    await createJobQueue().enqueue(
      tx,
      [tried, tried, other].map((task, n) => ({ task, payload: { n } })),
    )
    await tx`
      update graphile_worker._private_jobs
      set
        created_at = now() - interval '8 days', attempts = 3, last_error = 'the table is gone',
        locked_at = case when (payload ->> 'n')::int = 1 then now() end,
        locked_by = case when (payload ->> 'n')::int = 1 then 'a worker' end`
    await purgeDeliveries(tx, 100)
    return tx<{ n: number }[]>`
      select (job.payload ->> 'n')::int as n from graphile_worker._private_jobs as job order by job.id`
  })
  expect(left.map(({ n }) => n)).toEqual([1, 2])
})

test('a process has noted its subscribers when it has started', async () => {
  const { database: its } = await idleService()
  const rows = await its.system(tx => tx<{ task: string }[]>`select subscriber.task from core.subscriber`)
  const owners = new Set(rows.map(({ task }) => task.split(':')[2]))
  expect(owners).toContain('webhooks')
  expect(owners).toContain('knowledge')
})
