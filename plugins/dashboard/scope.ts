import type { Database, EventKind, Logger, Quarantine, Quotas, TenantDirectory, Wiring } from 'mneme/plugin'

/** Routes and tasks are called with this. */
export interface DashboardScope {
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly quarantine: Quarantine
  readonly quotas: Quotas
  readonly wiring: Wiring
  readonly log: Logger
  /** Kinds of events that the activity feed shows. */
  readonly activityKinds: readonly EventKind[]
  /** The feed goes back so long. */
  readonly activityDays: number
}
