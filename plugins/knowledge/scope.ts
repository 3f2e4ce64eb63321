import type { TenantDirectory } from '../../core/auth/directory.ts'
import type { Background } from '../../core/background.ts'
import type { Database } from '../../core/db/database.ts'
import type { EventPublisher } from '../../core/events.ts'
import type { JobQueue } from '../../core/jobs/task.ts'
import type { Logger } from '../../core/log.ts'
import type { LanguageModel } from '../../core/models/language/language-model.ts'
import type { Wiring } from '../../core/ports.ts'

/** The plan feature that this plugin stands for. */
export const FEATURE = 'hasKnowledgeGraph'

/** What routes, tasks and subscriptions are called with. */
export interface KnowledgeScope {
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly events: EventPublisher
  readonly jobs: JobQueue
  readonly wiring: Wiring
  readonly background: Background
  /** `none`, or away at times: statements stand by themselves then. */
  readonly language: LanguageModel
  readonly log: Logger
  readonly debounceMs: number
}
