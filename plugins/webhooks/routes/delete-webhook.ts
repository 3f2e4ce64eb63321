import { forgetResponses, noContent } from 'mneme/plugin'
import { failWebhook } from '../errors.ts'
import { clearJob } from '../jobs.ts'
import { deleteWebhook } from '../queries/webhooks.ts'
import { DELETE, route } from '../route.ts'
import { webhookParams } from '../schemas.ts'

export const deleteWebhookRoute = route({
  method: 'DELETE',
  path: '/v1/webhooks/:id',
  operationId: 'deleteWebhook',
  access: DELETE,
  summary: 'Delete a webhook',
  description: 'Deletes the webhook with its deliveries; waiting ones are not sent.',
  params: webhookParams,
  responses: { 204: null },
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, tenant: { workspaceId, transaction }, scope }) {
    await transaction(async tx => {
      if (!(await deleteWebhook(tx, workspaceId, params.id))) throw failWebhook('WEBHOOK_NOT_FOUND')
      await forgetResponses(tx, workspaceId, [params.id])
      await scope.jobs.enqueue(tx, [clearJob(workspaceId, params.id)])
    })
    return noContent
  },
})
