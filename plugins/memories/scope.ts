import type { EventPublisher, PluginContext, Portion } from 'mneme/plugin'
import type { AccessCounter } from './reading/access-counter.ts'
import type { AddedFields } from './reading/added-fields.ts'

type Kernel = 'database' | 'tenants' | 'jobs' | 'wiring' | 'log' | 'quotas' | 'quarantine'

/** The kernel services that every part of a write needs. */
export interface MemoryServices extends Pick<PluginContext<unknown>, Kernel> {
  readonly events: EventPublisher
  /** Sizes the transactions that store many memories, in characters, a short text counting as 1,300. */
  readonly storing: Portion
  /** Sizes passes by their last transactions, in characters, a short text counting as 500. */
  readonly completing: Portion
  /** The lifetime of a TASK memory unless the workspace or the request sets another. */
  readonly taskTtlMs: number
}

/** The scope that routes and tasks of this plugin receive. */
export interface MemoriesScope extends MemoryServices {
  readonly accesses: AccessCounter
  readonly fields: AddedFields
  /** Joins jobs that start at the same moment into one pass, see `processing/batches.ts`. */
  process(job: ProcessingJob): Promise<void>
}

/** The payload of `memories:process`. */
export interface ProcessingJob {
  readonly workspace_id: string
  readonly memory_id: string
  readonly revision: number
  /** The length of the text; jobs queued by an earlier version lack it. */
  readonly characters?: number
}

/** The payload of `memories:process-batch`: ordinary memories that were stored together, as many as one pass takes. */
export interface BatchProcessingJob {
  readonly workspace_id: string
  readonly memories: readonly Omit<ProcessingJob, 'workspace_id'>[]
}
