import { ok } from 'mneme/plugin'
import { failWebhook } from '../errors.ts'
import { webhookExample } from '../examples.ts'
import { findWebhook } from '../queries/webhooks.ts'
import { READ, route } from '../route.ts'
import { webhookParams, webhookResponse } from '../schemas.ts'
import { toWebhookResponse } from '../serializers.ts'

export const getWebhookRoute = route({
  method: 'GET',
  path: '/v1/webhooks/:id',
  operationId: 'getWebhook',
  access: READ,
  summary: 'Get a webhook',
  params: webhookParams,
  responses: { 200: webhookResponse },
  examples: { response: webhookExample },
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, tenant: { workspaceId, transaction } }) {
    const webhook = await transaction(tx => findWebhook(tx, workspaceId, params.id))
    if (!webhook) throw failWebhook('WEBHOOK_NOT_FOUND')
    return ok(toWebhookResponse(webhook))
  },
})
