import type { Database, JobQueue, TenantDirectory, Wiring } from 'mneme/plugin'
import type { MemorySearch } from '../memories/contract.ts'
import type { ReEmbedding } from './embedding/re-embedding.ts'
import type { TypesenseEngine } from './engine/typesense/index.ts'
import type { LearningServices } from './feedback/learn-balance.ts'
import type { SearchServices } from './search.ts'

/** What this plugin's routes and tasks are called with. */
export interface SearchScope {
  readonly memorySearch: MemorySearch
  readonly services: SearchServices
  readonly wiring: Wiring
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly jobs: JobQueue
  readonly learning: LearningServices
  readonly reEmbedding: ReEmbedding
  /** The engine in use, when that is Typesense. */
  readonly typesense: TypesenseEngine | undefined
}
