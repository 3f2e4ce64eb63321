import { accepted } from 'mneme/plugin'
import { failWebhook } from '../errors.ts'
import { pendingExample } from '../examples.ts'
import { dispatchJob } from '../jobs.ts'
import { redeliver } from '../queries/deliveries.ts'
import { findWebhook } from '../queries/webhooks.ts'
import { route, WRITE } from '../route.ts'
import { deliveryParams, deliveryResponse } from '../schemas.ts'
import { toDeliveryResponse } from '../serializers.ts'

export const redeliverRoute = route({
  method: 'POST',
  path: '/v1/webhooks/:id/deliveries/:delivery_id/redeliver',
  operationId: 'redeliverDelivery',
  access: WRITE,
  summary: 'Send a delivery again',
  description:
    'In any state: a waiting delivery is attempted now, one that has ended begins another round of attempts. Receivers get the same `webhook-id` and the same body.',
  params: deliveryParams,
  responses: { 202: deliveryResponse },
  examples: { response: pendingExample },
  errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  async handle({ params, tenant: { workspaceId, transaction }, scope }) {
    const delivery = await transaction(async tx => {
      if (!(await findWebhook(tx, workspaceId, params.id))) throw failWebhook('WEBHOOK_NOT_FOUND')
      const queued = await redeliver(tx, workspaceId, params.id, params.delivery_id)
      if (!queued) throw failWebhook('DELIVERY_NOT_FOUND')
      await scope.jobs.enqueue(tx, [dispatchJob(workspaceId)])
      return queued
    })
    return accepted(toDeliveryResponse(delivery))
  },
})
