import { definePort, HOUR_MS, type Tx } from 'mneme/plugin'

/** Kinds of events; their data is described in the manifest. */
export const WEBHOOK_CREATED = 'webhook.created'
/** Public: {@link FAILURES_ALERTED} attempts failed in a row, or none succeeded for {@link FAILING_ALERT_MS}. Told once, until one succeeds. */
export const WEBHOOK_FAILED = 'webhook.failed'
/** An attempt succeeded after that was told. */
export const WEBHOOK_RECOVERED = 'webhook.recovered'

/** A webhook that fails so that somebody should see to it. It stays active. */
export interface FailingWebhook {
  readonly webhookId: string
  /** The origin it sends to. */
  readonly url: string
  readonly failingSince: Date
  /** A delivery was given up since then, so that its event is lost unless it is sent again. */
  readonly gaveUp: boolean
}

/** A webhook that fails for this long while events wait is an alert, as is one that failed so often in a row: a delivery is given up after hours. */
export const FAILING_ALERT_MS = HOUR_MS
export const FAILURES_ALERTED = 10

/** Provided by the webhooks plugin, for alerts that resolve by themselves. */
export interface WebhookHealth {
  /** The active ones that fail so, in the transaction of the workspace. */
  failing(tx: Tx, workspaceId: string): Promise<FailingWebhook[]>
}
export const webhookHealth = definePort<WebhookHealth>('webhooks.health')
