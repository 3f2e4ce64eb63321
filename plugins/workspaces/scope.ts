import type { Administration, Database, EventPublisher, JobQueue, Logger, Quotas, Wiring } from 'mneme/plugin'

/** Routes and tasks are called with this. */
export interface WorkspacesScope {
  /** Accounts, workspaces and keys are no workspace's own rows, so this plugin works as the owner of the schema. */
  readonly database: Database
  readonly administration: Administration
  readonly events: EventPublisher
  readonly jobs: JobQueue
  readonly quotas: Quotas
  readonly wiring: Wiring
  readonly log: Logger
}
