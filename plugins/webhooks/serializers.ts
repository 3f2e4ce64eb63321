import type { Static } from 'mneme/plugin'
import type { Delivery } from './queries/deliveries.ts'
import type { Webhook } from './queries/webhooks.ts'
import type { deliveryResponse, webhookResponse } from './schemas.ts'

/** Serializes a webhook, without any secret. */
export function toWebhookResponse(webhook: Webhook): Static<typeof webhookResponse> {
  const { previousSecretUntil } = webhook
  return {
    id: webhook.id,
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    active: webhook.active,
    workspace_id: webhook.workspaceId,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    last_success_at: webhook.lastSuccessAt?.toISOString() ?? null,
    previous_secret_until:
      previousSecretUntil && previousSecretUntil.getTime() > Date.now() ? previousSecretUntil.toISOString() : null,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  }
}

export function toDeliveryResponse(delivery: Delivery): Static<typeof deliveryResponse> {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event: delivery.event,
    status: delivery.status,
    attempts: delivery.attempts,
    response_code: delivery.responseCode,
    response_body: delivery.responseBody,
    error: delivery.error,
    duration_ms: delivery.durationMs,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
  }
}
