import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { until } from '../../test/support/wait.ts'
import { release } from '../doctor.ts'
import { delayAfter } from '../jobs/backoff.ts'
import { createJobQueue } from '../jobs/queue.ts'
import { createJobRunner } from '../jobs/runner.ts'
import { createLog } from '../log.ts'
import type { StoredEvent, Subscription } from './events.ts'
import { deliverHeldAgain } from './held-deliveries.ts'
import { createOutbox, type MountedSubscription, outboxTasks } from './outbox.ts'

const log = createLog('silent')
const directory = { find: async () => undefined }

function subscriber(event: string, parts: Partial<Subscription>): MountedSubscription {
  return { owner: 'test', scope: undefined, subscription: { event, name: 'forget', handle: async () => {}, ...parts } }
}

test('a subscription that erases is tried for a day, any other for half an hour', () => {
  const subscriptions = [subscriber('a.made', {}), subscriber('a.made', { erases: true })]
  const tasks = outboxTasks({ database: undefined as never, subscriptions, directory, log })
  const minutes = tasks.map(({ task: { maxAttempts = 0, backoff } }) => {
    const waits = Array.from({ length: maxAttempts - 1 }, (_, n) =>
      backoff ? delayAfter({ ...backoff, jitter: 0 }, n + 1, new Error('no'), Math.random) : 0,
    )
    return Math.round(waits.reduce((sum, ms) => sum + ms, 0) / 60_000)
  })
  expect(minutes).toEqual([33, 1413])
  // Without a report of its own, a delivery that failed for good stays in the queue for operators.
  expect(tasks.map(({ task }) => task.exhausted !== undefined)).toEqual([false, true])
})

test('what could not be erased in a day is in quarantine, is tried again, and leaves it when it is done', async () => {
  // The test has a database of its own, since a service on the same one would take the deliveries.
  const plane = await openControlPlane(await ownDatabaseUrl())
  const { database, pool } = plane.storage
  const { workspaceId } = await plane.account()
  const kind = `test.${randomUUID()}`
  const heard: StoredEvent[] = []
  const subscriptions = [subscriber(kind, { erases: true, handle: async stored => void heard.push(stored) })]
  const kinds = [{ kind, label: kind, description: '', public: true, owner: 'test', enabled: true }]
  const { publish } = createOutbox({ kinds, subscribers: [], queue: createJobQueue() }).eventsOf('test')
  const added = { kind, workspaceId, subjectId: null, userId: null, data: {} }
  await database.workspace(workspaceId, tx => publish(tx, [added]))
  const [event] = await database.system(
    tx => tx<{ id: string }[]>`select id from core.event where workspace_id = ${workspaceId} and kind = ${kind}`,
  )
  const tasks = outboxTasks({ database, subscriptions, directory, log })
  const [mounted] = tasks
  const name = mounted?.task.name ?? ''
  const payload = { workspace_id: workspaceId, event_id: event?.id }
  const failForGood = () =>
    mounted?.task.exhausted?.({ payload, scope: mounted.scope } as never, new Error('the disk is full'))
  const held = () =>
    database.system(
      tx => tx<{ sweep: string; row_id: string; error: string }[]>`
        select sweep, row_id, error from core.quarantine where workspace_id = ${workspaceId}`,
    )
  await failForGood()
  expect([...(await held())]).toEqual([{ sweep: name, row_id: event?.id ?? '', error: 'the disk is full' }])
  const again = () => database.system(tx => deliverHeldAgain(tx, createJobQueue()))
  expect(await again()).toBe(0)
  await database.system(
    tx => tx`update core.quarantine set retry_at = now() - interval '1 minute' where workspace_id = ${workspaceId}`,
  )
  expect([await again(), await again()]).toEqual([1, 0])
  const runner = createJobRunner({ pool, database, tasks, cron: [], concurrency: 2, log })
  await runner.start()
  try {
    await until('nothing is held', async () => (await held()).length === 0)
    expect(heard.map(({ id }) => id)).toEqual([event?.id ?? ''])
    await failForGood()
    expect(await database.system(tx => release(tx, `${name}/${workspaceId}/${event?.id}`))).toBe(true)
    await until('it is delivered once more', async () => heard.length === 2)
  } finally {
    await runner.stop(1000)
  }
})
