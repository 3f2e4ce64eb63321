import type {
  Database,
  Events,
  JobQueue,
  Logger,
  OutgoingHttp,
  Quarantine,
  Quotas,
  Secrets,
  TenantDirectory,
  Wiring,
} from 'mneme/plugin'
import type { Dispatcher } from './delivering/dispatcher.ts'
import type { DeliveryMetrics } from './delivering/metrics.ts'
import type { DeliveryQueue } from './delivering/queue.ts'
import type { Sender } from './delivering/send.ts'

/** Routes, tasks, subscriptions and the recorder are called with this. */
export interface WebhooksScope {
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly events: Events
  readonly jobs: JobQueue
  readonly quarantine: Quarantine
  readonly quotas: Quotas
  readonly secrets: Secrets
  readonly outgoing: OutgoingHttp
  readonly wiring: Wiring
  readonly log: Logger
  readonly queue: DeliveryQueue
  readonly sender: Sender
  readonly metrics: DeliveryMetrics
  readonly dispatcher: Dispatcher
}
