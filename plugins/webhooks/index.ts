import { backlogOf, backlogSources, bind, DAY_MS, definePlugin, extend, PLUGIN_API_VERSION } from 'mneme/plugin'
import { retentionDays, userErasers } from '../memories/contract.ts'
import { FAILING_ALERT_MS, webhookHealth } from './contract.ts'
import { DeliveryDispatcher } from './delivering/dispatcher.ts'
import { createDeliveryMetrics } from './delivering/metrics.ts'
import { openQueue } from './delivering/queue.ts'
import { createSender } from './delivering/send.ts'
import { webhookErrors } from './errors.ts'
import { webhookEvents } from './events.ts'
import { forgetDeleted } from './forget-deleted.ts'
import { areDeliveriesCleared } from './queries/upkeep.ts'
import { failingWebhooks } from './queries/webhooks.ts'
import { FEATURE, webhookQuota } from './quota.ts'
import { recordDeliveries } from './recording/record-events.ts'
import { createWebhookRoute } from './routes/create-webhook.ts'
import { deleteWebhookRoute } from './routes/delete-webhook.ts'
import { getWebhookRoute } from './routes/get-webhook.ts'
import { listDeliveriesRoute } from './routes/list-deliveries.ts'
import { listEventKindsRoute } from './routes/list-event-kinds.ts'
import { listWebhooksRoute } from './routes/list-webhooks.ts'
import { redeliverRoute } from './routes/redeliver.ts'
import { redeliverFailedRoute } from './routes/redeliver-failed.ts'
import { rotateSecretRoute } from './routes/rotate-secret.ts'
import { testWebhookRoute } from './routes/test-webhook.ts'
import { updateWebhookRoute } from './routes/update-webhook.ts'
import { sealedSecrets } from './secrets.ts'
import { clearTask } from './tasks/clear.ts'
import { dispatchTask } from './tasks/dispatch.ts'
import { redeliverTask } from './tasks/redeliver.ts'
import { sweepTask } from './tasks/sweep.ts'
import { tellTask } from './tasks/tell.ts'

const KEPT_MS = 30 * DAY_MS

/** Sends events of all plugins to receivers outside, signed and repeated until they are taken. */
export const webhooksPlugin = definePlugin({
  id: 'webhooks',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  // It tells the texts of memories.
  optional: ['memories'],
  feature: FEATURE,
  features: [{ name: FEATURE, description: 'Events sent to receivers outside.', plans: ['pro', 'scale'] }],
  permissions: [
    {
      name: 'Webhooks',
      forAdmins: true,
      permissions: {
        'webhook.read': 'List webhooks and their deliveries.',
        'webhook.write': 'Create, update and test webhooks.',
        'webhook.delete': 'Delete webhooks.',
      },
    },
  ],
  quotas: [webhookQuota],
  migrations: new URL('./sql/', import.meta.url),
  errors: webhookErrors,
  emits: webhookEvents,
  sealed: sealedSecrets,
  provides: [webhookHealth],
  routes: [
    createWebhookRoute,
    listWebhooksRoute,
    listEventKindsRoute,
    getWebhookRoute,
    updateWebhookRoute,
    deleteWebhookRoute,
    rotateSecretRoute,
    testWebhookRoute,
    listDeliveriesRoute,
    redeliverRoute,
    redeliverFailedRoute,
  ],
  recorders: [recordDeliveries],
  subscriptions: [forgetDeleted],
  tasks: [dispatchTask, sweepTask, tellTask, redeliverTask, clearTask],
  cron: [
    { schedule: '* * * * *', task: 'webhooks:sweep' },
    { schedule: '*/10 * * * *', task: 'webhooks:tell' },
  ],
  subjects: [
    {
      table: 'webhooks.payload',
      column: 'user_id',
      parts: [
        {
          table: 'webhooks.delivery',
          column: 'payload_id',
          // Those of webhooks that are gone are removed with them. So the index of deliveries once a webhook and payload is used.
          where: 'part.webhook_id in (select webhook.id from webhooks.webhook where webhook.workspace_id = $1::uuid)',
        },
      ],
    },
  ],
  // Ids carry the time of the event, so both parts of a delivery go together.
  retention: [
    {
      table: 'webhooks.delivery',
      column: 'id',
      columnType: 'uuidv7',
      keepMs: KEPT_MS,
      workspaceSetting: retentionDays,
    },
    { table: 'webhooks.payload', column: 'id', columnType: 'uuidv7', keepMs: KEPT_MS, workspaceSetting: retentionDays },
  ],
  setup(context) {
    const {
      database,
      tenants,
      events,
      jobs,
      quarantine,
      quotas,
      secrets,
      outgoing,
      wiring,
      metrics: registry,
      log,
    } = context
    const services = { database, tenants, events, jobs, quarantine, quotas, secrets, outgoing, wiring, log }
    const queue = openQueue({ measure: { registry, database } })
    const metrics = createDeliveryMetrics(registry, () => dispatcher.running())
    const sender = createSender({ outgoing, secrets, metrics })
    const dispatcher = new DeliveryDispatcher({ database, queue, sender, events, jobs, metrics, log })
    return {
      scope: { ...services, queue, sender, metrics, dispatcher },
      ports: [
        bind(webhookHealth, {
          failing: (tx, workspaceId) => failingWebhooks(tx, workspaceId, new Date(Date.now() - FAILING_ALERT_MS)),
        }),
      ],
      extensions: [
        extend(userErasers, { id: 'webhooks', isDone: areDeliveriesCleared }),
        extend(backlogSources, deliveryBacklog),
      ],
      stop: () => dispatcher.stop(),
    }
  },
})

/** A receiver that fails has an alert of its own, and one that is paused waits on purpose. */
const deliveryBacklog = backlogOf({
  kind: 'deliveries',
  table: 'webhooks.delivery',
  since: 'round_started_at',
  open: "item.status <> 'SUCCEEDED'",
  waiting: "item.status = 'PENDING'",
  late: `item.attempts_made = 0 and item.webhook_id = any (array(
    select webhook.id
    from webhooks.webhook
    where webhook.workspace_id = $1::uuid and webhook.active
  ))`,
})
