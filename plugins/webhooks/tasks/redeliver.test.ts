import { beforeAll, expect, test } from 'bun:test'
import type { NewJob } from 'mneme/plugin'
import { v7 } from 'uuid'
import { featureGate } from '../../../core/jobs/feature-gate.ts'
import type { Task } from '../../../core/jobs/task.ts'
import { createLog } from '../../../core/log.ts'
import { idleService, type TestService } from '../../../test/support/service.ts'
import { workspaceWith } from '../../../test/support/workspace.ts'
import { dispatchJob, REDELIVER, redeliverJob } from '../jobs.ts'
import { listDeliveries } from '../queries/deliveries.ts'
import { FEATURE } from '../quota.ts'
import type { WebhooksScope } from '../scope.ts'
import { createWebhook } from '../world.test-support.ts'
import { redeliverTask } from './redeliver.ts'

let running: TestService

beforeAll(async () => {
  running = await idleService()
})

const HOUR = 3_600_000

test('queues all that failed in the window but tests, in rounds of which none reads again what earlier ones passed over', async () => {
  const { database } = running
  const { client, workspaceId } = await running.account()
  const { id: webhookId } = await createWebhook(client, 'http://93.184.216.34/hook')
  const now = Date.now()
  // Events of the last two hours, of which those of the last one are asked for.
  const rows = Array.from({ length: 1300 }, (_, n) => ({
    id: v7(),
    payload_id: v7({ msecs: now - 2 * HOUR + n * 5000 }),
    created_at: new Date(now - 2 * HOUR + n * 5000).toISOString(),
    status: n % 100 === 99 ? 'SUCCEEDED' : 'FAILED',
    event: n % 100 === 50 ? 'webhook.test' : 'memory.created',
  }))
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into webhooks.delivery (
        workspace_id, id, webhook_id, payload_id, event, status, round_started_at, created_at, due_at
      )
      select
        ${workspaceId}::uuid, new.id, ${webhookId}::uuid, new.payload_id, new.event, new.status, new.created_at,
        new.created_at, null
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (
        id uuid, payload_id uuid, created_at timestamptz, status text, event text
      )`,
  )
  const since = new Date(now - HOUR)
  const isAsked = ({ status, event, created_at: at }: (typeof rows)[number]) =>
    status === 'FAILED' && event !== 'webhook.test' && at >= since.toISOString()
  const asked = rows.filter(isAsked).map(({ payload_id: id }) => id)
  const afters: (string | undefined)[] = []
  const waiting: NewJob[] = [redeliverJob({ workspaceId, webhookId, since, until: new Date(now) })]
  const jobs = {
    enqueue: async (_: unknown, added: readonly NewJob[]) => void waiting.push(...added.filter(isRedelivery)),
  }
  const scope = { database, jobs } as unknown as WebhooksScope
  const { signal } = new AbortController()
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    const payload = job.payload as { after?: string }
    afters.push(payload.after)
    await redeliverTask.run({ payload: payload as never, scope, attempt: 1, maxAttempts: 1, signal })
  }
  expect(afters).toEqual([undefined, asked[499]])
  const listed = await database.workspace(workspaceId, tx =>
    listDeliveries(tx, workspaceId, webhookId, { filter: { status: 'PENDING' }, limit: 1000, offset: 0 }),
  )
  expect(listed.total).toBe(asked.length)
  const failed = await database.workspace(workspaceId, tx =>
    listDeliveries(tx, workspaceId, webhookId, { filter: { status: 'FAILED' }, limit: 3, offset: 0 }),
  )
  const before = rows.filter(row => row.status === 'FAILED' && !isAsked(row))
  expect(failed.total).toBe(before.length)
  expect(failed.deliveries.map(({ id }) => id)).toEqual(
    before
      .slice(-3)
      .map(({ id }) => id)
      .toReversed(),
  )
})

test('is not lost where the plan lacks the feature for a moment: what failed waits for it as other deliveries do', async () => {
  const { database } = running
  const { client, workspaceId } = await running.account()
  const { id: webhookId } = await createWebhook(client, 'http://93.184.216.34/hook')
  const now = new Date()
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into webhooks.delivery (
        workspace_id, id, webhook_id, payload_id, event, status, round_started_at, created_at, due_at
      )
      values (${workspaceId}, ${v7()}, ${webhookId}, ${v7()}, 'memory.created', 'FAILED', ${now}, ${now}, null)`,
  )
  const enqueued: NewJob[] = []
  const jobs = { enqueue: async (_: unknown, added: readonly NewJob[]) => void enqueued.push(...added) }
  const gated = featureGate(redeliverTask as Task, FEATURE, {
    directory: { find: async id => workspaceWith([], id) },
    log: createLog('silent'),
  })
  const { payload } = redeliverJob({ workspaceId, webhookId, since: now, until: now })
  const { signal } = new AbortController()
  await gated.run({ payload, scope: { database, jobs }, attempt: 1, maxAttempts: 1, signal } as never)
  const { deliveries } = await database.workspace(workspaceId, tx =>
    listDeliveries(tx, workspaceId, webhookId, { filter: {}, limit: 10, offset: 0 }),
  )
  expect(deliveries.map(({ status }) => status)).toEqual(['PENDING'])
  expect(enqueued).toEqual([dispatchJob(workspaceId)])
})

function isRedelivery({ task }: NewJob): boolean {
  return task === REDELIVER
}
