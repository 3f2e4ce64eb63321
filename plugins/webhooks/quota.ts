import type { QuotaDefinition } from 'mneme/plugin'
import { countWebhooks } from './queries/webhooks.ts'

/** The plan feature that this plugin stands for. */
export const FEATURE = 'webhooks'

/** Webhooks of a workspace, paused ones included. */
export const webhookQuota: QuotaDefinition = {
  name: 'webhooks',
  description: 'Webhooks.',
  limits: { free: 2, pro: 10, scale: 100 },
  count: (tx, { workspaceId }) => countWebhooks(tx, workspaceId),
}
