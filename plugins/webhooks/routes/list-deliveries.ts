import { envelope, ok, windowOf } from 'mneme/plugin'
import { failWebhook } from '../errors.ts'
import { deliveryExample, pageExampleOf } from '../examples.ts'
import { listDeliveries } from '../queries/deliveries.ts'
import { findWebhook } from '../queries/webhooks.ts'
import { READ, route } from '../route.ts'
import { deliveriesQuery, deliveriesResponse, webhookParams } from '../schemas.ts'
import { toDeliveryResponse } from '../serializers.ts'

export const listDeliveriesRoute = route({
  method: 'GET',
  path: '/v1/webhooks/:id/deliveries',
  operationId: 'listDeliveries',
  access: READ,
  summary: 'List deliveries',
  description:
    'Newest first, with the result of the last attempt of each. They are kept for 30 days. With `event`, or `status=SUCCEEDED`, the newest 100,000 are looked at.',
  params: webhookParams,
  query: deliveriesQuery,
  responses: { 200: deliveriesResponse },
  examples: { response: pageExampleOf(deliveryExample) },
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, query, tenant: { workspaceId, transaction } }) {
    const { status, event } = query
    const [webhook, { deliveries, total }] = await transaction(tx =>
      Promise.all([
        findWebhook(tx, workspaceId, params.id),
        listDeliveries(tx, workspaceId, params.id, { filter: { status, event }, ...windowOf(query) }),
      ]),
    )
    if (!webhook) throw failWebhook('WEBHOOK_NOT_FOUND')
    return ok(envelope(query, deliveries.map(toDeliveryResponse), total))
  },
})
