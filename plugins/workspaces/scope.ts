import type { TenantDirectory } from '../../core/auth/directory.ts'
import type { Database } from '../../core/db/database.ts'
import type { EventPublisher } from '../../core/events.ts'
import type { JobQueue } from '../../core/jobs/task.ts'
import type { Logger } from '../../core/log.ts'
import type { Wiring } from '../../core/ports.ts'

/** What routes and tasks are called with. */
export interface WorkspacesScope {
  /** Accounts, workspaces and keys are no workspace's own rows, so this plugin works as the owner of the schema. */
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly events: EventPublisher
  readonly jobs: JobQueue
  readonly wiring: Wiring
  readonly log: Logger
}
