import type {
  Background,
  Database,
  EventPublisher,
  JobQueue,
  LanguageModel,
  Logger,
  Quarantine,
  TenantDirectory,
  Wiring,
} from 'mneme/plugin'

/** The plan feature that this plugin stands for. */
export const FEATURE = 'hasKnowledgeGraph'

/** Routes, tasks and subscriptions are called with this. */
export interface KnowledgeScope {
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly events: EventPublisher
  readonly jobs: JobQueue
  readonly wiring: Wiring
  readonly background: Background
  readonly quarantine: Quarantine
  /** `none`, or away at times: statements stand by themselves then. */
  readonly language: LanguageModel
  readonly log: Logger
  readonly debounceMs: number
}
