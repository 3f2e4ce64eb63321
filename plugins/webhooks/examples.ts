/** Bodies and responses as the reference shows them. */

export const bodyExample = {
  url: 'https://example.com/hooks/mneme',
  events: ['memory.created', 'memory.updated'],
  description: 'The support desk',
}

export const webhookExample = {
  id: '9f4b2a6e-1c8d-4e57-b03a-5d7e9f1c2b48',
  ...bodyExample,
  active: true,
  workspace_id: '3f0a8c1e-2d7b-4a45-8a9e-6f1c2b7d9e10',
  failing_since: null,
  last_success_at: null,
  previous_secret_until: null,
  created_at: '2026-06-01T08:15:00.000Z',
  updated_at: '2026-06-01T08:15:00.000Z',
}

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='

export const secretWebhookExample = { ...webhookExample, secret: SECRET }

export const rotatedExample = {
  ...secretWebhookExample,
  previous_secret_until: '2026-06-03T10:00:00.000Z',
  updated_at: '2026-06-02T10:00:00.000Z',
}

export const deliveryExample = {
  id: '0197a3c4-5b6d-7e8f-9a0b-1c2d3e4f5a6b',
  webhook_id: webhookExample.id,
  event: 'memory.created',
  status: 'SUCCEEDED',
  attempts: 1,
  response_code: 200,
  response_body: 'ok',
  error: null,
  duration_ms: 84,
  next_attempt_at: null,
  created_at: '2026-06-01T08:20:00.000Z',
}

export const testDeliveryExample = { ...deliveryExample, event: 'webhook.test' }

export const pendingExample = {
  ...deliveryExample,
  status: 'PENDING',
  attempts: 0,
  response_code: 503,
  response_body: 'try later',
  error: 'The receiver answered with 503.',
  next_attempt_at: '2026-06-01T09:00:00.000Z',
}

export const eventKindExample = {
  event: 'memory.created',
  label: 'Memory created',
  description: 'A new memory was stored.',
  example: {
    event: 'memory.created',
    timestamp: '2026-06-01T08:15:00.000Z',
    data: {
      id: '0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a21',
      memory: 'Ada prefers tea.',
      user_id: 'ada',
      status: 'PENDING',
    },
  },
}

/** A page with one item on it. */
export function pageExampleOf(item: object) {
  return { data: [item], total: 1, page: 1, page_size: 20 }
}
