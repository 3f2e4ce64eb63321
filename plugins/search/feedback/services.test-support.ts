import type { Tenant, Workspace } from '../../../core/auth/caller.ts'
import type { TenantDirectory } from '../../../core/auth/directory.ts'
import { EmbeddingModel } from '../embedding/models.ts'
import { createQueryEmbedder } from '../embedding/query-embedder.ts'
import type { SearchEngine } from '../engine/engine.ts'
import type { LearningServices } from './learn-balance.ts'
import { Learned } from './learned.ts'

type Given = Pick<LearningServices, 'database' | 'vectorType' | 'embedder' | 'queryLog' | 'log'>

/** Learning on workspaces that only the test knows. */
export function learningServices({ engine, ...given }: Given & { engine: SearchEngine }): LearningServices {
  const { database, vectorType, embedder, queryLog } = given
  const model = new EmbeddingModel(database, embedder)
  const learned = new Learned(vectorType)
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
    learned,
    search: {
      engine,
      learned,
      log: queryLog,
      embedder: createQueryEmbedder(embedder, model, { tokens: () => undefined, request: () => undefined }),
      reader: () => {
        throw new Error('a fit reads no memory')
      },
      evidence: () => [],
      similarityFloor: 0.2,
      without: new Set(),
    },
  }
}
