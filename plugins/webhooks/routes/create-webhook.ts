import { created, type Tenant, violatedConstraint } from 'mneme/plugin'
import { v7 } from 'uuid'
import { WEBHOOK_CREATED } from '../contract.ts'
import { failWebhook } from '../errors.ts'
import { eventChecks } from '../event-kinds.ts'
import { bodyExample, secretWebhookExample } from '../examples.ts'
import { insertWebhook } from '../queries/webhooks.ts'
import { webhookQuota } from '../quota.ts'
import { checkReceiverUrl, originOf, urlChecks } from '../receiver-url.ts'
import { route, WRITE } from '../route.ts'
import { createWebhookBody, secretWebhookResponse } from '../schemas.ts'
import type { WebhooksScope } from '../scope.ts'
import { sealSecret } from '../secrets.ts'
import { toWebhookResponse } from '../serializers.ts'
import { newSecret } from '../signature.ts'

export const createWebhookRoute = route({
  method: 'POST',
  path: '/v1/webhooks',
  operationId: 'createWebhook',
  access: WRITE,
  summary: 'Create a webhook',
  description:
    'Sends events of the workspace to a URL as signed JSON. The `secret` to verify the signature with is shown in this response alone. Attempts without a 2xx response within 10 seconds are repeated after about 1 minute, 10 minutes, 1 hour and 6 hours.',
  body: createWebhookBody,
  checks: [...eventChecks, ...urlChecks],
  responses: { 201: secretWebhookResponse },
  examples: { body: bodyExample, response: secretWebhookExample },
  secretResponse: true,
  errors: ['DUPLICATE_WEBHOOK_URL', 'WEBHOOK_LIMIT_EXCEEDED'],
  async handle({ body, tenant, scope }) {
    const { url, description = null, active = true } = body
    const events = [...new Set(body.events)]
    await checkReceiverUrl(scope.outgoing, url, tenant.workspaceId)
    return created(await store(scope, tenant, { url, events, description, active }))
  },
})

interface Given {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly active: boolean
}

async function store(scope: WebhooksScope, tenant: Tenant, given: Given) {
  const { workspaceId, workspace } = tenant
  const id = v7()
  const secret = newSecret()
  const sealed = sealSecret(scope.secrets, 'signing', { workspaceId, id }, secret)
  try {
    return await tenant.transaction(async tx => {
      const room = await scope.quotas.room(tx, workspace, webhookQuota.name, 1)
      // One that is there already is that, whether or not there is room for another.
      const webhook = await insertWebhook(tx, workspaceId, { id, ...given, secret: sealed })
      if (room < 1) throw failWebhook('WEBHOOK_LIMIT_EXCEEDED')
      const data = { webhook_id: id, url: originOf(given.url), events: [...given.events] }
      await scope.events.publish(tx, [{ kind: WEBHOOK_CREATED, workspaceId, subjectId: id, userId: null, data }])
      return { ...toWebhookResponse(webhook), secret }
    })
  } catch (error) {
    if (violatedConstraint(error) === 'webhook_url_unique') throw failWebhook('DUPLICATE_WEBHOOK_URL')
    throw error
  }
}
