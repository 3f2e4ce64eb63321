import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const webhookErrors = {
  WEBHOOK_NOT_FOUND: { status: 404, message: 'The workspace has no webhook with this id.' },
  DELIVERY_NOT_FOUND: { status: 404, message: 'The webhook has no delivery with this id.' },
  DUPLICATE_WEBHOOK_URL: { status: 409, message: 'The workspace has a webhook with this URL already.' },
  WEBHOOK_LIMIT_EXCEEDED: {
    status: 422,
    message: 'The plan allows no more webhooks; delete one, or choose a plan with more.',
  },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failWebhook = failWith(webhookErrors)
