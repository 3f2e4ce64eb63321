import type { Database, EventPublisher, JobQueue, Logger, Quarantine, TenantDirectory, Wiring } from 'mneme/plugin'

export const FEATURE = 'exports'

/** Routes, tasks and subscriptions are called with this. */
export interface ExportsScope {
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly events: EventPublisher
  readonly jobs: JobQueue
  readonly quarantine: Quarantine
  readonly wiring: Wiring
  readonly log: Logger
}
