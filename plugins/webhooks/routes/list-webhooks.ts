import { envelope, ok, pageQuery, windowOf } from 'mneme/plugin'
import { pageExampleOf, webhookExample } from '../examples.ts'
import { countWebhooks, listWebhooks } from '../queries/webhooks.ts'
import { READ, route } from '../route.ts'
import { webhooksResponse } from '../schemas.ts'
import { toWebhookResponse } from '../serializers.ts'

export const listWebhooksRoute = route({
  method: 'GET',
  path: '/v1/webhooks',
  operationId: 'listWebhooks',
  access: READ,
  summary: 'List webhooks',
  description: 'Newest first.',
  query: pageQuery,
  responses: { 200: webhooksResponse },
  examples: { response: pageExampleOf(webhookExample) },
  async handle({ query, tenant: { workspaceId, transaction } }) {
    const [webhooks, total] = await transaction(tx =>
      Promise.all([listWebhooks(tx, workspaceId, windowOf(query)), countWebhooks(tx, workspaceId)]),
    )
    return ok(envelope(query, webhooks.map(toWebhookResponse), total))
  },
})
