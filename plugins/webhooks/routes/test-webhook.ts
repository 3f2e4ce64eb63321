import { fail, ok } from 'mneme/plugin'
import { v7 } from 'uuid'
import { noteHealth } from '../delivering/health.ts'
import { failWebhook } from '../errors.ts'
import { testDeliveryExample } from '../examples.ts'
import { nowOf } from '../queries/attempts.ts'
import { insertAttempted, TEST_EVENT } from '../queries/deliveries.ts'
import { findWebhook, type Webhook } from '../queries/webhooks.ts'
import { bodyOf } from '../recording/payload.ts'
import { route, WRITE } from '../route.ts'
import { deliveryResponse, webhookParams } from '../schemas.ts'
import type { WebhooksScope } from '../scope.ts'
import { toDeliveryResponse } from '../serializers.ts'

const RETRY_AFTER_SECONDS = 2
const TOO_MANY = 'Too many tests are under way; wait for them to end.'
const NO_ROOM = 'Too many tests of other workspaces are under way.'

export const testWebhookRoute = route({
  method: 'POST',
  path: '/v1/webhooks/:id/test',
  operationId: 'testWebhook',
  access: WRITE,
  summary: 'Send a test delivery',
  description:
    'Sends an event `webhook.test` at once, to a paused webhook too, and responds with its delivery when the receiver has responded, after at most 20 seconds. It is attempted once. A success says that the webhook works again. Two at once in a workspace; `RATE_LIMITED` beyond. `SERVICE_UNAVAILABLE` while the tests of others take all places there are, of which a host has two.',
  params: webhookParams,
  responses: { 200: deliveryResponse },
  examples: { response: testDeliveryExample },
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, tenant, scope }) {
    const { workspaceId, transaction } = tenant
    const webhook = await transaction(tx => findWebhook(tx, workspaceId, params.id))
    if (!webhook) throw failWebhook('WEBHOOK_NOT_FOUND')
    const { id, result, body, attemptedAt } = await sendTest(scope, webhook)
    const delivery = await transaction(async tx => {
      // It may have been deleted while its receiver was waited for.
      if (!(await findWebhook(tx, workspaceId, webhook.id))) throw failWebhook('WEBHOOK_NOT_FOUND')
      const succeeded = result.outcome === 'succeeded'
      // A test that fails says nothing: no event was to be taken.
      if (succeeded) {
        const made = { webhookId: webhook.id, url: webhook.url, result }
        await noteHealth(tx, scope.events, workspaceId, [{ ...made, gaveUp: false }], await nowOf(tx))
      }
      const payloadId = v7({ msecs: attemptedAt.getTime() })
      const made = { id, webhookId: webhook.id, payloadId, event: TEST_EVENT, body, attemptedAt }
      return insertAttempted(tx, workspaceId, made, { ...result, status: succeeded ? 'SUCCEEDED' : 'FAILED' })
    })
    return ok(toDeliveryResponse(delivery))
  },
})

async function sendTest({ dispatcher, sender }: WebhooksScope, webhook: Webhook) {
  const place = dispatcher.takeTest(webhook)
  if (place === 'own') throw fail('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_SECONDS, message: TOO_MANY })
  if (place === 'others')
    throw fail('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, message: NO_ROOM })
  try {
    const data = { webhook_id: webhook.id, message: 'This is a test of your webhook.' }
    const attemptedAt = new Date()
    const body = bodyOf(TEST_EVENT, data, attemptedAt)
    const id = v7()
    const result = await sender.send({ deliveryId: id, body, webhook })
    if (result.outcome === 'interrupted' || result.outcome === 'busy')
      throw fail('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    return { id, result, body, attemptedAt }
  } finally {
    place.release()
  }
}
