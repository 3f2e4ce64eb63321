import { accepted, parseInstant, validationError } from 'mneme/plugin'
import { failWebhook } from '../errors.ts'
import { redeliverJob } from '../jobs.ts'
import { nowOf } from '../queries/attempts.ts'
import { findWebhook } from '../queries/webhooks.ts'
import { route, WRITE } from '../route.ts'
import { messageResponse, redeliverBody, webhookParams } from '../schemas.ts'

const MESSAGE = 'The failed deliveries are being queued again.'

export const redeliverFailedRoute = route({
  method: 'POST',
  path: '/v1/webhooks/:id/redeliver',
  operationId: 'redeliverFailedDeliveries',
  access: WRITE,
  summary: 'Send all failed deliveries again',
  description:
    'Failed deliveries of events since an instant, oldest first, each with another round of attempts; tests are left out.',
  params: webhookParams,
  body: redeliverBody,
  responses: { 202: messageResponse },
  examples: { body: { since: '2026-06-01T00:00:00Z' }, response: { message: MESSAGE } },
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, body, tenant: { workspaceId, transaction }, scope }) {
    const since = parseInstant(body.since)
    if (!since) throw validationError([{ path: 'since', message: 'must be an ISO 8601 date or date-time' }])
    await transaction(async tx => {
      if (!(await findWebhook(tx, workspaceId, params.id))) throw failWebhook('WEBHOOK_NOT_FOUND')
      const until = await nowOf(tx)
      await scope.jobs.enqueue(tx, [redeliverJob({ workspaceId, webhookId: params.id, since, until })])
    })
    return accepted({ message: MESSAGE })
  },
})
