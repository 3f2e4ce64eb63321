import { type Database, type JobQueue, routesOf, type TenantDirectory, type Wiring } from 'mneme/plugin'
import type { MemorySearch } from '../memories/contract.ts'
import type { ReEmbedding } from './embedding/re-embedding.ts'
import type { TypesenseEngine } from './engine/typesense/index.ts'
import type { LearningServices } from './learning/listener.ts'
import type { SearchServices } from './pipeline/search.ts'

/** The scope that routes and tasks of this plugin receive. */
export interface SearchScope {
  readonly memorySearch: MemorySearch
  readonly services: SearchServices
  readonly wiring: Wiring
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly jobs: JobQueue
  readonly learning: LearningServices
  readonly reEmbedding: ReEmbedding
  /** The Typesense engine, if it is the one in use. */
  readonly typesense: TypesenseEngine | undefined
}

/** Builds this plugin's routes. */
export const route = routesOf<SearchScope>()

export const READ = { permission: 'memory.read' } as const
