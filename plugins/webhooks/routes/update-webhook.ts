import { ok, violatedConstraint } from 'mneme/plugin'
import { failWebhook } from '../errors.ts'
import { eventChecks } from '../event-kinds.ts'
import { webhookExample } from '../examples.ts'
import { dispatchJob } from '../jobs.ts'
import { findWebhook, updateWebhook } from '../queries/webhooks.ts'
import { checkReceiverUrl, urlChecks } from '../receiver-url.ts'
import { route, WRITE } from '../route.ts'
import { updateWebhookBody, webhookParams, webhookResponse } from '../schemas.ts'
import { toWebhookResponse } from '../serializers.ts'

export const updateWebhookRoute = route({
  method: 'PATCH',
  path: '/v1/webhooks/:id',
  operationId: 'updateWebhook',
  access: WRITE,
  summary: 'Change or pause a webhook',
  description: 'Changes the given fields. Waiting deliveries are sent to the new URL.',
  params: webhookParams,
  body: updateWebhookBody,
  checks: [...eventChecks, ...urlChecks],
  responses: { 200: webhookResponse },
  examples: { body: { active: false }, response: { ...webhookExample, active: false } },
  errors: ['WEBHOOK_NOT_FOUND', 'DUPLICATE_WEBHOOK_URL'],
  async handle({ params, body, tenant: { workspaceId, transaction }, scope }) {
    const { url, description, active } = body
    const events = body.events && [...new Set(body.events)]
    if (url !== undefined) await checkReceiverUrl(scope.outgoing, url, workspaceId)
    const change = {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events }),
      ...(description === undefined ? {} : { description }),
      ...(active === undefined ? {} : { active }),
    }
    try {
      const changed = await transaction(async tx => {
        const webhook = await findWebhook(tx, workspaceId, params.id, 'locked')
        if (!webhook) throw failWebhook('WEBHOOK_NOT_FOUND')
        const resumed = active === true && !webhook.active
        if (resumed) await scope.jobs.enqueue(tx, [dispatchJob(workspaceId)])
        return updateWebhook(tx, webhook, change)
      })
      return ok(toWebhookResponse(changed))
    } catch (error) {
      if (violatedConstraint(error) === 'webhook_url_unique') throw failWebhook('DUPLICATE_WEBHOOK_URL')
      throw error
    }
  },
})
