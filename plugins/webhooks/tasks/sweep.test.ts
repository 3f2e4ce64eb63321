import { beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Workspace } from 'mneme/plugin'
import { Registry } from 'prom-client'
import { createJobQueue } from '../../../core/jobs/queue.ts'
import { quarantineOf } from '../../../test/support/quarantine.ts'
import { idleService, type TestService } from '../../../test/support/service.ts'
import { workspaceWith } from '../../../test/support/workspace.ts'
import { gaveUp } from '../delivering/dispatching.test-support.ts'
import { createDeliveryMetrics } from '../delivering/metrics.ts'
import { openQueue } from '../delivering/queue.ts'
import type { WebhooksScope } from '../scope.ts'
import { createWebhook, PATH } from '../world.test-support.ts'
import { sweepTask } from './sweep.ts'

let running: TestService

beforeAll(async () => {
  running = await idleService()
})

test('finds what is due and has it attempted, but where the plan lost the feature or a workspace cannot be worked on', async () => {
  const { database } = running
  await database.system(tx => tx`update webhooks.delivery set due_at = null`)
  const accounts = [await running.account(), await running.account()]
  for (const { client } of accounts) {
    await createWebhook(client, 'http://93.184.216.34/hook', { events: ['memory.created'] })
    await client.post('/v1/memories', { memory: 'The gate is open.' })
  }
  const [served, poor] = accounts.map(({ workspaceId }) => workspaceId)
  const jobsOf = async (workspaceId: string | undefined) =>
    (
      await database.system(
        tx => tx`
          select from graphile_worker._private_jobs as job
          join graphile_worker._private_tasks as task on task.id = job.task_id
          where task.identifier = 'webhooks:dispatch' and job.payload ->> 'workspace_id' = ${workspaceId ?? ''}`,
      )
    ).length
  expect([await jobsOf(served), await jobsOf(poor)]).toEqual([1, 1])
  const broken = await running.account()
  await createWebhook(broken.client, 'http://93.184.216.34/hook', { events: ['memory.created'] })
  await broken.client.post('/v1/memories', { memory: 'The gate is shut.' })
  const find = async (id: string) => {
    if (id === broken.workspaceId) throw new Error('its plan cannot be read')
    return workspaceWith(id === served ? ['webhooks'] : [], id)
  }
  await sweep(find)
  expect([await jobsOf(served), await jobsOf(poor), await jobsOf(broken.workspaceId)]).toEqual([2, 1, 1])
})

test('ends all rounds of a paused webhook that had their 24 hours, and removes all that is due to one that is gone', async () => {
  const { database } = running
  await database.system(tx => tx`update webhooks.delivery set due_at = null`)
  const { client, workspaceId } = await running.account()
  const { id: paused } = await createWebhook(client, 'http://93.184.216.34/paused')
  await client.request('PATCH', `${PATH}/${paused}`, { body: { active: false } })
  const add = (webhookId: string) =>
    database.workspace(
      workspaceId,
      tx => tx`
        insert into webhooks.delivery (
          workspace_id, id, webhook_id, payload_id, event, status, round_started_at, created_at, due_at
        )
        select
          ${workspaceId}::uuid, gen_random_uuid(), ${webhookId}::uuid, gen_random_uuid(), 'memory.created', 'PENDING',
          late.at, late.at, late.at
        from generate_series(1, 2500) as n
        cross join lateral (select now() - interval '30 hours' as at) as late`,
    )
  for (const webhookId of [paused, randomUUID()]) await add(webhookId)
  const failed = await sweep(async id => workspaceWith(['webhooks'], id))
  const left = await database.workspace(
    workspaceId,
    tx => tx`
      select delivery.status, count(*)::integer as count
      from webhooks.delivery
      where delivery.workspace_id = ${workspaceId}
      group by delivery.status`,
  )
  expect([...left]).toEqual([{ status: 'FAILED', count: 2500 }])
  expect(failed).toBe(2500)
})

/**
 * @param find tells of a workspace by its id
 * @returns how many deliveries the metric says have failed for good
 */
async function sweep(find: (id: string) => Promise<Workspace>): Promise<number | undefined> {
  const { database } = running
  const registry = new Registry()
  const scope = {
    database,
    tenants: { find },
    queue: openQueue(),
    jobs: createJobQueue(),
    metrics: createDeliveryMetrics(registry, () => 0),
    quarantine: quarantineOf('webhooks', database),
  } as unknown as WebhooksScope
  const { signal } = new AbortController()
  await sweepTask.run({ payload: {} as never, scope, attempt: 1, maxAttempts: 1, signal })
  return gaveUp(registry)
}
