import type { PluginContext } from 'mneme/plugin'
import type { Dispatcher } from './delivering/dispatcher.ts'
import type { DeliveryMetrics } from './delivering/metrics.ts'
import type { DeliveryQueue } from './delivering/queue.ts'
import type { Sender } from './delivering/send.ts'

type Kernel =
  | 'database'
  | 'tenants'
  | 'events'
  | 'jobs'
  | 'quarantine'
  | 'quotas'
  | 'secrets'
  | 'outgoing'
  | 'wiring'
  | 'log'

/** Routes, tasks, subscriptions and the recorder are called with this. */
export interface WebhooksScope extends Pick<PluginContext<unknown>, Kernel> {
  readonly queue: DeliveryQueue
  readonly sender: Sender
  readonly metrics: DeliveryMetrics
  readonly dispatcher: Dispatcher
}
