import type { TenantDirectory } from '../../core/auth/directory.ts'
import type { Database } from '../../core/db/database.ts'
import type { JobQueue } from '../../core/jobs/task.ts'
import type { Logger } from '../../core/log.ts'
import type { LanguageModel } from '../../core/models/language/language-model.ts'
import type { Wiring } from '../../core/ports.ts'

/** What routes, tasks and subscriptions are called with. */
export interface ConversationsScope {
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly jobs: JobQueue
  readonly wiring: Wiring
  /** `none`, or away at times: the local way stands beside it. */
  readonly language: LanguageModel
  readonly log: Logger
}
