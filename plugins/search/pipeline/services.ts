import type { Static } from '@sinclair/typebox'
import type { PluginContext } from 'mneme/plugin'
import { memoryReader } from '../../memories/contract.ts'
import { endedFacts, queryAliases, searchEvidence } from '../contract.ts'
import { OpenModels } from '../embedding/models.ts'
import { createQueryEmbedder } from '../embedding/query-embedder.ts'
import { type OpenedEngine, openEngine } from '../engine/open.ts'
import { storedVectorType, type VectorType } from '../engine/postgres/embeddings.ts'
import { withVariants } from '../engine/variants.ts'
import { createModelTerms } from '../expansion/model-terms.ts'
import { Learned } from '../feedback/learned.ts'
import { WorkspaceLanguages } from '../languages/workspace-languages.ts'
import { QueryLog } from '../log/query-log.ts'
import { SIGNALS } from '../ranking/rank.ts'
import { createReranking } from '../reranking/rerank.ts'
import type { searchConfig } from '../settings/environment.ts'
import type { SearchServices } from './search.ts'

/** The services of a search, and the resources that the plugin closes when it stops. */
export interface OpenedServices {
  readonly opened: OpenedEngine
  readonly models: OpenModels
  readonly vectorType: VectorType
  readonly languages: WorkspaceLanguages
  readonly services: SearchServices
}

export async function openServices(context: PluginContext<Static<typeof searchConfig>>): Promise<OpenedServices> {
  const { config, database, embedder, embedders, language, reranker, jobs, usage, wiring, metrics, log } = context
  const opened = await openEngine(config, { database, log, metrics })
  const engine = withVariants(opened.engine)
  const models = new OpenModels({ database, embedder, embedders, log })
  const vectorType = await storedVectorType(database)
  const languages = new WorkspaceLanguages(engine, database, jobs)
  const services: SearchServices = {
    engine,
    languages,
    embedder: createQueryEmbedder(models, usage),
    log: new QueryLog(database, log),
    reranking: createReranking({
      reranker,
      candidatesMax: config.RERANK_CANDIDATES,
      timeoutMs: config.RERANK_TIMEOUT_MS,
      usage,
      metrics,
    }),
    learned: new Learned(vectorType),
    reader: () => wiring.use(memoryReader),
    similarityFloor: config.SEARCH_SIMILARITY_FLOOR,
    evidence: () => wiring.extensions(searchEvidence),
    ended: () => wiring.extensions(endedFacts),
    expansion: { model: createModelTerms(language), aliases: () => wiring.extensions(queryAliases) },
    without: new Set(SIGNALS.filter(signal => config.SEARCH_WITHOUT.split(',').includes(signal))),
  }
  return { opened, models, vectorType, languages, services }
}
