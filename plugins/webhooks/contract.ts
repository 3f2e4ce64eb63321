import { DAY_MS, definePort, type Tx } from 'mneme/plugin'

/** Kinds of events; their data is described in the manifest. */
export const WEBHOOK_CREATED = 'webhook.created'
/** Public: no attempt succeeded for {@link FAILING_ALERT_MS}. Told once, until one succeeds. */
export const WEBHOOK_FAILED = 'webhook.failed'
/** An attempt succeeded after that was told. */
export const WEBHOOK_RECOVERED = 'webhook.recovered'

/** A webhook to which no attempt has succeeded for {@link FAILING_ALERT_MS}. It stays active. */
export interface FailingWebhook {
  readonly webhookId: string
  /** The origin it sends to. */
  readonly url: string
  readonly failingSince: Date
}

/** A webhook that fails for this long is an alert. */
export const FAILING_ALERT_MS = 3 * DAY_MS

/** Provided by the webhooks plugin, for alerts that resolve by themselves. */
export interface WebhookHealth {
  /** The active ones that fail for that long, in the transaction of the workspace. */
  failing(tx: Tx, workspaceId: string): Promise<FailingWebhook[]>
}
export const webhookHealth = definePort<WebhookHealth>('webhooks.health')
