import type { Database, EventPublisher, JobQueue, Logger, Quotas, TenantDirectory, Wiring } from 'mneme/plugin'
import type { AccessCounter } from './access-counter.ts'
import type { AddedFields } from './fields.ts'

/** What every part of a write needs of the kernel. */
export interface MemoryServices {
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly events: EventPublisher
  readonly jobs: JobQueue
  readonly wiring: Wiring
  readonly log: Logger
  readonly quotas: Quotas
  /** How long a TASK memory lives unless its workspace or its creator says otherwise. */
  readonly taskTtlMs: number
}

/** What routes and tasks are called with. */
export interface MemoriesScope extends MemoryServices {
  readonly accesses: AccessCounter
  readonly fields: AddedFields
  /** Joins jobs that start at the same moment into one pass; see `processing/batches.ts`. */
  process(job: ProcessingJob): Promise<void>
}

/** The payload of `memories:process`. */
export interface ProcessingJob {
  readonly workspace_id: string
  readonly memory_id: string
  readonly revision: number
  /** Of its text; jobs that were queued by an earlier version do not say. */
  readonly characters?: number
}
