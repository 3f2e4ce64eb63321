import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { controlPlane } from '../../test/support/control-plane.ts'
import type { Database } from '../db/database.ts'
import { noteSubscribers } from '../events/known-subscribers.ts'
import { createJobQueue } from '../jobs/queue.ts'
import type { NewJob } from '../jobs/task.ts'
import { createLog } from '../log.ts'
import { coreRetentions, EVENT_DAYS, housekeepingCron, housekeepingTasks } from './housekeeping.ts'

const daysAgo = (days: number) => Date.now() - days * 86_400_000

/** Runs the hourly task, and then the jobs of its own that it adds until there are none. @returns the jobs of others */
async function housekeep(database: Database, subscribers: readonly string[] = []): Promise<NewJob[]> {
  const jobs: NewJob[] = []
  const others: NewJob[] = []
  const queue = { enqueue: async (_: unknown, added: readonly NewJob[]) => void jobs.push(...added) }
  const directory = { find: async () => undefined }
  const parts = { database, directory, queue, retentions: coreRetentions, subscribers, log: createLog('silent') }
  const tasks = new Map(housekeepingTasks(parts).map(mounted => [mounted.task.name, mounted]))
  const run = async (job: NewJob) => {
    const mounted = tasks.get(job.task)
    if (!mounted) return void others.push(job)
    const { signal } = new AbortController()
    await mounted.task.run({
      payload: job.payload,
      scope: mounted.scope,
      attempt: 1,
      maxAttempts: 1,
      signal,
    } as never)
  }
  for (const { task } of housekeepingCron) await run({ task, payload: {} })
  for (let job = jobs.shift(); job; job = jobs.shift()) await run(job)
  return others
}

test('the hourly purge removes events past their time and leaves the others', async () => {
  const { database } = (await controlPlane()).storage
  const workspaceId = randomUUID()
  const ages = [0, EVENT_DAYS - 1, EVENT_DAYS + 1, EVENT_DAYS + 100]
  await database.system(async tx => {
    for (const days of ages) {
      await tx`
        insert into core.event (workspace_id, id, kind, subject_id)
        values (${workspaceId}, ${uuidv7({ msecs: daysAgo(days) })}, 'x.y', ${String(days)})`
    }
  })
  await housekeep(database)
  const left = await database.system(
    tx => tx<{ days: string }[]>`
      select subject_id as days from core.event where workspace_id = ${workspaceId} order by id desc`,
  )
  expect(left.map(row => row.days)).toEqual(['0', String(EVENT_DAYS - 1)])
})

test('ids of written usage that their process left are removed after a month', async () => {
  const { database } = (await controlPlane()).storage
  const [old, recent] = [randomUUID(), randomUUID()]
  const insert = (id: string, days: number) =>
    database.system(tx => tx`insert into core.usage_batch (id, written_at) values (${id}, ${new Date(daysAgo(days))})`)
  await insert(old, 31)
  await insert(recent, 29)
  await housekeep(database)
  const left = await database.system(tx => tx`select id from core.usage_batch where id in (${old}, ${recent})`)
  expect([...left]).toEqual([{ id: recent }])
})

test('sessions of the console that expired are removed, open ones stay', async () => {
  const plane = await controlPlane()
  const { database } = plane.storage
  const { accountId } = await plane.account()
  await database.system(async tx => {
    for (const hours of [-24, -1, 1]) {
      await tx`
        insert into core.account_session (account_id, token, expires_at)
        values (${accountId}, ${`${accountId} ${hours}`}, now() + ${hours}::int * interval '1 hour')`
    }
  })
  await housekeep(database)
  const left = await database.system(
    tx => tx<{ token: string }[]>`select token from core.account_session where account_id = ${accountId}`,
  )
  expect(left.map(({ token }) => token)).toEqual([`${accountId} 1`])
})

test('counts of requests by address go once their window is long over', async () => {
  const { database } = (await controlPlane()).storage
  const key = randomUUID()
  await database.system(async tx => {
    for (const hours of [0, 2]) {
      await tx`
        insert into core.account_rate_limit (key, count, last_request)
        values (${`${key} ${hours}`}, 1, ${Date.now() - hours * 3_600_000})`
    }
  })
  await housekeep(database)
  const left = await database.system(
    tx => tx<{ key: string }[]>`select key from core.account_rate_limit where key like ${`${key}%`}`,
  )
  expect(left.map(row => row.key)).toEqual([`${key} 0`])
})

test('what a sweep holds is forgotten once it is long not tried any more, a delivery is made again however late', async () => {
  const plane = await controlPlane()
  const { database } = plane.storage
  const { workspaceId } = await plane.account()
  const [swept, delivery] = [`tests:${randomUUID()}`, `core:deliver:tests:${randomUUID()}`]
  await database.system(async tx => {
    for (const sweep of [swept, delivery]) {
      await tx`
        insert into core.quarantine (workspace_id, sweep, row_id, plugin, error, retry_at)
        values (${workspaceId}, ${sweep}, '', 'tests', 'the disk is full', now() - interval '3 days')`
    }
  })
  const added = await housekeep(database)
  expect(added.filter(({ task }) => task === swept || task === delivery)).toMatchObject([
    { task: delivery, payload: { workspace_id: workspaceId, held: true } },
  ])
  const held = await database.system(
    tx => tx<{ sweep: string }[]>`select sweep from core.quarantine where workspace_id = ${workspaceId}`,
  )
  expect([...held]).toEqual([{ sweep: delivery }])
})

test('deliveries to subscribers that no process has any more go after a week, those of others and other jobs stay', async () => {
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
  const living = `core:deliver:living:${randomUUID()}`
  const known = () => database.system(tx => tx`select from core.subscriber where task = ${gone}`)
  const seenLongAgo = () =>
    database.system(tx => tx`update core.subscriber set seen_at = now() - interval '8 days' where task = ${gone}`)
  // Nobody has noted it before, so that its week begins now.
  await housekeep(database, [living])
  expect(await waiting()).toHaveLength(3)
  await seenLongAgo()
  // Another process has the subscriber.
  await database.system(tx => noteSubscribers(tx, [gone]))
  await housekeep(database, [living])
  expect(await waiting()).toHaveLength(3)
  await seenLongAgo()
  await housekeep(database, [living, gone])
  expect(await waiting()).toHaveLength(3)
  await seenLongAgo()
  await housekeep(database, [living])
  expect([...(await waiting())]).toEqual([
    { task: gone, days: 0 },
    { task: other, days: 8 },
  ])
  expect(await known()).toHaveLength(1)
  await database.system(
    tx => tx`
      delete from graphile_worker._private_jobs
      where task_id = (select id from graphile_worker._private_tasks where identifier = ${gone})`,
  )
  await housekeep(database, [living])
  expect(await known()).toHaveLength(0)
})
