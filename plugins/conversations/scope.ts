import type { Database, JobQueue, LanguageModel, Logger, Quarantine, TenantDirectory, Wiring } from 'mneme/plugin'

/** Routes, tasks and subscriptions are called with this. */
export interface ConversationsScope {
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly jobs: JobQueue
  readonly quarantine: Quarantine
  readonly wiring: Wiring
  /** `none`, or away at times: the local way stands beside it. */
  readonly language: LanguageModel
  readonly log: Logger
}
