import type { Static } from '@sinclair/typebox'
import { bind, definePlugin, extend, PLUGIN_API_VERSION, type PluginContext, type UsageMeter } from 'mneme/plugin'
import {
  memoryFeedback,
  memoryHoldings,
  memoryParts,
  memoryProcessing,
  memoryReader,
  memorySearch,
  memoryWriteHooks,
  retentionDays,
  userErasers,
} from '../memories/contract.ts'
import { workspaceErasers } from '../workspaces/contract.ts'
import { evalCommand } from './commands/eval.ts'
import { rebuildCommand, verifyCommand } from './commands/typesense.ts'
import {
  endedFacts,
  memoryVectors,
  queryAliases,
  searchEvidence,
  searchStatistics,
  standingStatements,
} from './contract.ts'
import { createMemoryVectors } from './embedding/embed-texts.ts'
import { createQueryEmbedder, OpenModels } from './embedding/models.ts'
import { ReEmbedding } from './embedding/re-embedding.ts'
import { EmbeddingWatch, embeddingHealth, measureEmbeddings } from './embedding/watch.ts'
import { engineFaults, type OpenedEngine, openEngine } from './engine/open.ts'
import { storedVectorType, type VectorType } from './engine/postgres/embeddings.ts'
import { foldChore } from './engine/postgres/fold.ts'
import { standingMemories } from './engine/postgres/standing.ts'
import { withVariants } from './engine/terms.ts'
import { createIndexEraser } from './engine/typesense/index-state.ts'
import { createModelTerms } from './expansion/model-terms.ts'
import { Learned, NO_QUERY } from './feedback/feedback.ts'
import { createEmbedStep } from './indexing/embed-step.ts'
import { likeMemories } from './indexing/likeness.ts'
import { createMemoryPart } from './indexing/memory-part.ts'
import { createWriteHook } from './indexing/write-hook.ts'
import { WorkspaceLanguages } from './languages/workspace-languages.ts'
import { createFeedbackHook, createFeedbackListener, type LearningServices } from './learning/listener.ts'
import { createUserEraser, FORGOTTEN_KEPT_MS, QueryLog } from './log/query-log.ts'
import { createSearchStatistics } from './log/statistics.ts'
import { measuredSearch, type SearchServices } from './pipeline/search.ts'
import { createReranking } from './reranking/rerank.ts'
import { getBalanceRoute, resetBalanceRoute } from './routes/balance.ts'
import { searchByBodyRoute, searchByQueryRoute } from './routes/search.ts'
import { whyRoute } from './routes/why.ts'
import type { SearchScope } from './scope.ts'
import { searchConfig, searchSettings } from './settings/settings.ts'
import { findBalancesTask, fitBalanceTask } from './tasks/fit-balance.ts'
import { reEmbedTask } from './tasks/re-embed.ts'
import { reindexTask } from './tasks/reindex.ts'

const keptAsSearches = { environment: 'SEARCH_LOG_DAYS', workspaceSetting: retentionDays } as const

/** Finds memories by words and by meaning. */
export const searchPlugin = definePlugin({
  id: 'search',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories'],
  optional: ['workspaces'],
  workspaceSettings: searchSettings,
  config: searchConfig,
  checkConfig: engineFaults,
  migrations: new URL('./sql/', import.meta.url),
  provides: [memorySearch, memoryVectors, searchStatistics, standingStatements],
  extensionPoints: [searchEvidence, endedFacts, queryAliases],
  routes: [searchByQueryRoute, searchByBodyRoute, whyRoute, getBalanceRoute, resetBalanceRoute],
  tasks: [reindexTask, reEmbedTask, findBalancesTask, fitBalanceTask],
  cron: [{ schedule: '17 * * * *', task: 'search:find-balances' }],
  // Callers choose the hashes of queries, which are without number, so all that is kept about a query goes by the time of its searches.
  retention: [
    { table: 'search.query_log', column: 'created_at', ...keptAsSearches },
    {
      table: 'search.feedback',
      column: 'last_signal_at',
      where: `item.query_hash <> '${NO_QUERY}'`,
      ...keptAsSearches,
    },
    { table: 'search.feedback_query', column: 'last_signal_at', ...keptAsSearches },
    { table: 'search.forgotten_text', column: 'forgotten_at', keepMs: FORGOTTEN_KEPT_MS },
  ],
  subjects: [
    { table: 'search.query_log', column: 'user_id' },
    // Rows of memories go with these, and so only what is left of them here.
    ...['search.document', 'search.embedding', 'search.passage'].map(table => ({ table, column: 'user_id' })),
  ],
  commands: [evalCommand, rebuildCommand, verifyCommand],
  async setup(context) {
    const { database, tenants, embedder, jobs, usage, wiring, metrics, quarantine, background, log } = context
    const { opened, models, vectorType, languages, services } = await openServices(context)
    const { engine, log: queryLog } = services
    const searchPort = measuredSearch(services, opened.typesense ? 'typesense' : 'postgres', metrics)
    const search = { ...services, embedder: createQueryEmbedder(models, NOT_COUNTED) }
    const learning: LearningServices = { database, tenants, quarantine, vectorType, search, log }
    const reEmbedding = new ReEmbedding({ database, engine, models, quarantine, jobs, log, reader: services.reader })
    const watch = new EmbeddingWatch({ database, embedder, models, work: reEmbedding, log })
    measureEmbeddings(metrics, models)
    const scope: SearchScope = {
      memorySearch: searchPort,
      services,
      wiring,
      database,
      tenants,
      jobs,
      learning,
      reEmbedding,
      typesense: opened.typesense,
    }
    const hook = createWriteHook(engine, languages, queryLog)
    const step = createEmbedStep(engine, models, languages, usage)
    return {
      scope,
      ports: [
        bind(memorySearch, searchPort),
        bind(searchStatistics, createSearchStatistics(languages)),
        bind(memoryVectors, createMemoryVectors(database, models)),
        bind(standingStatements, standingMemories),
      ],
      extensions: [
        extend(workspaceErasers, createIndexEraser(database)),
        extend(userErasers, createUserEraser(queryLog)),
        extend(memoryWriteHooks, hook),
        extend(memoryWriteHooks, createFeedbackHook()),
        extend(memoryFeedback, createFeedbackListener(learning)),
        extend(memoryProcessing, step),
        extend(memoryHoldings, likeMemories),
        extend(memoryParts, createMemoryPart({ database, reader: services.reader, hook, step })),
      ],
      healthChecks: [opened.healthCheck, embeddingHealth(models)],
      chores: [
        { name: 'search.log', everyMs: 1000, flushes: true, run: () => queryLog.flush() },
        foldChore({ database, quarantine, background }),
        { name: 'search.embeddings', everyMs: 1000, idleMs: 10_000, atStop: false, run: () => watch.run() },
        ...opened.chores,
      ],
      async stop() {
        opened.stop()
        reEmbedding.stop()
        await models.close()
      },
    }
  },
})

/** Searches that the service runs for itself do not count as anybody's usage. */
const NOT_COUNTED: Pick<UsageMeter, 'tokens'> = { tokens: () => undefined }

/** The services of a search, and the resources that the plugin closes when it stops. */
interface OpenedServices {
  readonly opened: OpenedEngine
  readonly models: OpenModels
  readonly vectorType: VectorType
  readonly languages: WorkspaceLanguages
  readonly services: SearchServices
}

async function openServices(context: PluginContext<Static<typeof searchConfig>>): Promise<OpenedServices> {
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
    without: new Set(config.SEARCH_WITHOUT.split(',')),
  }
  return { opened, models, vectorType, languages, services }
}
