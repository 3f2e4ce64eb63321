import { fail, ok } from 'mneme/plugin'
import { v7 } from 'uuid'
import { failWebhook } from '../errors.ts'
import { testDeliveryExample } from '../examples.ts'
import { insertAttempted } from '../queries/deliveries.ts'
import { findWebhook } from '../queries/webhooks.ts'
import { bodyOf } from '../recording/payload.ts'
import { route, WRITE } from '../route.ts'
import { deliveryResponse, webhookParams } from '../schemas.ts'
import { toDeliveryResponse } from '../serializers.ts'

const TEST_EVENT = 'webhook.test'

export const testWebhookRoute = route({
  method: 'POST',
  path: '/v1/webhooks/:id/test',
  access: WRITE,
  summary: 'Send a test delivery',
  description:
    'Sends an event `webhook.test` at once, to a paused webhook too, and responds with its delivery when the receiver has responded, after at most 10 seconds. It is attempted once.',
  params: webhookParams,
  responses: { 200: deliveryResponse },
  examples: { response: testDeliveryExample },
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, tenant: { workspaceId, transaction }, scope: { sender } }) {
    const webhook = await transaction(tx => findWebhook(tx, workspaceId, params.id))
    if (!webhook) throw failWebhook('WEBHOOK_NOT_FOUND')
    const data = { webhook_id: webhook.id, message: 'This is a test of your webhook.' }
    const body = bodyOf(TEST_EVENT, data, new Date())
    const id = v7()
    const result = await sender.send({ deliveryId: id, body, webhook })
    if (result.outcome === 'interrupted') throw fail('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 })
    const delivery = await transaction(async tx => {
      // It may have been deleted while its receiver was waited for.
      if (!(await findWebhook(tx, workspaceId, webhook.id))) throw failWebhook('WEBHOOK_NOT_FOUND')
      const made = { id, webhookId: webhook.id, payloadId: v7(), event: TEST_EVENT, body }
      return insertAttempted(tx, workspaceId, made, {
        ...result,
        status: result.outcome === 'succeeded' ? 'SUCCEEDED' : 'FAILED',
      })
    })
    return ok(toDeliveryResponse(delivery))
  },
})
