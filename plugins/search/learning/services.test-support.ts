import type { TenantDirectory, Workspace } from 'mneme/plugin'
import { quarantineOf } from '../../../test/support/quarantine.ts'
import type { QueryEmbedder } from '../embedding/models.ts'
import { localExpansion } from '../expansion/local.test-support.ts'
import { Learned } from '../feedback/feedback.ts'
import { englishOnly } from '../languages/english.test-support.ts'
import { QueryLog } from '../log/query-log.ts'
import type { SearchServices } from '../pipeline/search.ts'
import { noReranking } from '../reranking/rerank.ts'
import type { LearningServices } from './listener.ts'

type Given = Pick<LearningServices, 'database' | 'vectorType' | 'log'> & Pick<SearchServices, 'engine' | 'embedder'>

/** Embeds every text as the same vector, so that only words distinguish texts. */
export const steady: QueryEmbedder = {
  embed: async () => ({ vector: { model: 32_000, values: Float32Array.of(1, 0) } }),
}

/** A workspace of which nothing is set. */
function workspaceOf(id: string): Workspace {
  return { id, settings: {} } satisfies Partial<Workspace> as Workspace
}

/** Builds learning services over workspaces of the test alone. */
export function learningServices({ engine, embedder, ...given }: Given): LearningServices {
  const { database, vectorType, log } = given
  const tenants: Pick<TenantDirectory, 'find' | 'tenant'> = {
    find: async id => workspaceOf(id),
    tenant: async workspaceId => ({
      workspaceId,
      workspace: workspaceOf(workspaceId),
      transaction: work => database.workspace(workspaceId, work),
    }),
  }
  return {
    ...given,
    quarantine: quarantineOf('search', database),
    tenants: tenants as TenantDirectory,
    search: {
      engine,
      learned: new Learned(vectorType),
      log: new QueryLog(database, log),
      embedder,
      reranking: noReranking,
      reader: () => {
        throw new Error('a fit reads no memory')
      },
      evidence: () => [],
      ended: () => [],
      expansion: localExpansion,
      languages: englishOnly,
      similarityFloor: 0.2,
      without: new Set(),
    },
  }
}
