import { definePlugin, PLUGIN_API_VERSION } from '../../core/plugin.ts'
import { bind, extend } from '../../core/ports.ts'
import { memoryFilters } from '../memories/contract.ts'
import { queryAliases, searchEvidence } from '../search/contract.ts'
import { FACTS_CHANGED, factExtractor } from './contract.ts'
import { graphErrors } from './errors.ts'
import { openExtractor } from './extraction/open-extractor.ts'
import { entityFilter } from './reading/memory-filter.ts'
import { graphAliases, graphEvidence } from './reading/search-evidence.ts'
import { graphRoutes } from './routes/all.ts'
import type { GraphScope } from './scope.ts'

/** Draws entities and relationships from memories, keeps them true as memories change, and answers from them. */
export const graphPlugin = definePlugin({
  id: 'graph',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories', 'search'],
  feature: 'hasKnowledgeGraph',
  migrations: new URL('./sql/', import.meta.url),
  errors: graphErrors,
  emits: [{ kind: FACTS_CHANGED, description: 'What the graph knows of a user changed.', public: false }],
  provides: [factExtractor],
  routes: graphRoutes,
  setup(context) {
    const { database, tenants, events, jobs, wiring, usage, embedder, language, log } = context
    const extractor = openExtractor({ language, embedder, log, usage })
    const scope: GraphScope = {
      database,
      tenants,
      events,
      jobs,
      wiring,
      usage,
      embedder,
      language,
      extractor,
      log,
    }
    return {
      scope,
      ports: [bind(factExtractor, extractor)],
      extensions: [
        extend(memoryFilters, entityFilter),
        extend(searchEvidence, graphEvidence),
        extend(queryAliases, graphAliases),
      ],
    }
  },
})
