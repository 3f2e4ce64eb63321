import { ok } from 'mneme/plugin'
import { failWebhook } from '../errors.ts'
import { rotatedExample } from '../examples.ts'
import { nowOf } from '../queries/attempts.ts'
import { findWebhook, rotateSecret } from '../queries/webhooks.ts'
import { route, WRITE } from '../route.ts'
import { secretWebhookResponse, webhookParams } from '../schemas.ts'
import { sealPrevious, sealSecret } from '../secrets.ts'
import { toWebhookResponse } from '../serializers.ts'
import { newSecret } from '../signature.ts'

export const rotateSecretRoute = route({
  method: 'POST',
  path: '/v1/webhooks/:id/rotate-secret',
  operationId: 'rotateWebhookSecret',
  access: WRITE,
  summary: 'Rotate the signing secret',
  description:
    'The new `secret` is shown in this response alone. For 24 hours `webhook-signature` holds a signature with the former one too, also after further rotations, up to three; `X-Webhook-Signature` uses the new one at once.',
  params: webhookParams,
  responses: { 200: secretWebhookResponse },
  examples: { response: rotatedExample },
  secretResponse: true,
  errors: ['WEBHOOK_NOT_FOUND'],
  async handle({ params, tenant: { workspaceId, transaction }, scope: { secrets } }) {
    const secret = newSecret()
    const rotated = await transaction(async tx => {
      const webhook = await findWebhook(tx, workspaceId, params.id, 'locked')
      if (!webhook) throw failWebhook('WEBHOOK_NOT_FOUND')
      const previous = sealPrevious(secrets, webhook, await nowOf(tx))
      return rotateSecret(tx, webhook, sealSecret(secrets, 'signing', webhook, secret), previous)
    })
    return ok({ ...toWebhookResponse(rotated), secret })
  },
})
