import { beforeAll, expect, test } from 'bun:test'
import type { NewEvent } from 'mneme/plugin'
import { quarantineOf } from '../../../test/support/quarantine.ts'
import { idleService, type TestService } from '../../../test/support/service.ts'
import type { WebhooksScope } from '../scope.ts'
import { createWebhook } from '../world.test-support.ts'
import { tellTask } from './tell.ts'

let running: TestService

beforeAll(async () => {
  running = await idleService()
})

test('tells once of a webhook that fails for an hour though none of its deliveries has an attempt left', async () => {
  const { database } = running
  const { client, workspaceId } = await running.account()
  const { id } = await createWebhook(client, 'http://93.184.216.34/hook', { events: ['memory.created'] })
  await client.post('/v1/memories', { memory: 'The gate is painted.' })
  await database.workspace(workspaceId, async tx => {
    await tx`
      update webhooks.delivery
      set status = 'FAILED', due_at = null, next_attempt_at = null, failure = 'No.', response_code = 503, duration_ms = 7
      where delivery.workspace_id = ${workspaceId}`
    await tx`
      update webhooks.webhook
      set failing_since = now() - interval '61 minutes'
      where webhook.workspace_id = ${workspaceId}`
  })
  const told: NewEvent[] = []
  const scope = {
    database,
    events: { kinds: [], publish: async (_: unknown, events: readonly NewEvent[]) => void told.push(...events) },
    quarantine: quarantineOf('webhooks', database),
  } as unknown as WebhooksScope
  const { signal } = new AbortController()
  for (let round = 0; round < 2; round++)
    await tellTask.run({ payload: {} as never, scope, attempt: 1, maxAttempts: 1, signal })
  expect(told.filter(event => event.workspaceId === workspaceId)).toMatchObject([
    { kind: 'webhook.failed', subjectId: id, data: { error: 'No.', response_code: 503 } },
  ])
})
