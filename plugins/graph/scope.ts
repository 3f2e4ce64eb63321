import type { TenantDirectory } from '../../core/auth/directory.ts'
import type { Background } from '../../core/background.ts'
import type { Database } from '../../core/db/database.ts'
import type { EventPublisher } from '../../core/events.ts'
import type { JobQueue } from '../../core/jobs/task.ts'
import type { Logger } from '../../core/log.ts'
import type { Embedder } from '../../core/models/embedder.ts'
import type { LanguageModel } from '../../core/models/language/language-model.ts'
import type { PluginContext } from '../../core/plugin.ts'
import type { Wiring } from '../../core/ports.ts'
import type { UsageMeter } from '../../core/usage.ts'
import type { Extractor } from './contract.ts'
import type { Lanes } from './tasks/lanes.ts'

/** What routes, tasks and subscriptions are called with. */
export interface GraphScope {
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly events: EventPublisher
  readonly jobs: JobQueue
  readonly wiring: Wiring
  readonly usage: UsageMeter
  readonly background: Background
  readonly embedder: Embedder
  /** `none`, or away at times: every use has a local way beside it. */
  readonly language: LanguageModel
  readonly extractor: Extractor
  /** Of the readers of waiting memories. */
  readonly lanes: Lanes
  readonly log: Logger
}

/** What the kernel lends, with what the plugin makes itself. */
export function graphScope(lent: PluginContext<unknown>, made: Pick<GraphScope, 'extractor' | 'lanes'>): GraphScope {
  const { database, tenants, events, jobs, wiring, usage, background, embedder, language, log } = lent
  return { database, tenants, events, jobs, wiring, usage, background, embedder, language, log, ...made }
}
