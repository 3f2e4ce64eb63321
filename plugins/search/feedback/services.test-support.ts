import type { Tenant, Workspace } from '../../../core/auth/caller.ts'
import type { TenantDirectory } from '../../../core/auth/directory.ts'
import { EmbeddingModel } from '../embedding/models.ts'
import { createQueryEmbedder } from '../embedding/query-embedder.ts'
import { englishOnly } from '../languages/english.test-support.ts'
import { QueryLog } from '../log/query-log.ts'
import type { SearchServices } from '../search.ts'
import type { LearningServices } from './learn-balance.ts'
import { Learned } from './learned.ts'

type Given = Pick<LearningServices, 'database' | 'vectorType' | 'embedder' | 'log'> & Pick<SearchServices, 'engine'>

/** Learning on workspaces that only the test knows. */
export function learningServices({ engine, ...given }: Given): LearningServices {
  const { database, vectorType, embedder, log } = given
  const model = new EmbeddingModel(database, embedder)
  const tenants: Pick<TenantDirectory, 'find' | 'tenant'> = {
    find: async id => ({ id }) satisfies Partial<Workspace> as Workspace,
    tenant: async workspaceId =>
      ({ workspaceId, transaction: work => database.workspace(workspaceId, work) }) satisfies Omit<
        Tenant,
        'workspace'
      > as Tenant,
  }
  return {
    ...given,
    tenants: tenants as TenantDirectory,
    model,
    search: {
      engine,
      learned: new Learned(vectorType),
      log: new QueryLog(database, log),
      embedder: createQueryEmbedder(embedder, model, { tokens: () => undefined, request: () => undefined }),
      reader: () => {
        throw new Error('a fit reads no memory')
      },
      evidence: () => [],
      languages: englishOnly,
      similarityFloor: 0.2,
      without: new Set(),
    },
  }
}
