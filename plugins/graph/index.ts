import { backlogOf, backlogSources, bind, definePlugin, extend, PLUGIN_API_VERSION } from 'mneme/plugin'
import {
  archiveSections,
  memoryFilters,
  memoryHoldings,
  memoryParts,
  memoryProcessing,
  memoryWriteHooks,
} from '../memories/contract.ts'
import { endedFacts, queryAliases, searchEvidence } from '../search/contract.ts'
import { graphAnswers } from './answering/answer-evidence.ts'
import { factsInWords } from './answering/facts-in-words.ts'
import { graphSection } from './archive/section.ts'
import { factExtractor, factsChangedEvent, graphFacts, namedFacts, readingInstructions } from './contract.ts'
import { graphErrors } from './errors.ts'
import { openExtractor } from './extraction/open-extractor.ts'
import { graphEnded, graphHoldings } from './reading/ended-memories.ts'
import { entityFilter } from './reading/memory-filter.ts'
import { graphAliases, graphEvidence } from './reading/search-evidence.ts'
import { graphRoutes } from './routes/all.ts'
import { graphScope } from './scope.ts'
import { decayWeightsTask } from './tasks/decay-weights.ts'
import { embedTask } from './tasks/embed.ts'
import { extractTask } from './tasks/extract.ts'
import { Lanes } from './tasks/lanes.ts'
import { createMemoryPart } from './tasks/memory-part.ts'
import { createQueueStep, FEATURE } from './tasks/queue-step.ts'
import { forgetRestored } from './tasks/restatements.ts'
import { sweepTask } from './tasks/sweep.ts'
import { storedFacts } from './writing/graph-facts.ts'
import { createWriteHook } from './writing/write-hook.ts'

/** Draws entities and relationships from memories, keeps them true as memories change, and answers from them. */
export const graphPlugin = definePlugin({
  id: 'graph',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories'],
  optional: ['search'],
  feature: FEATURE,
  features: [
    {
      name: FEATURE,
      description: 'The knowledge graph, and the knowledge and profiles compiled from it.',
      plans: ['pro', 'scale'],
    },
  ],
  migrations: new URL('./sql/', import.meta.url),
  errors: graphErrors,
  emits: [factsChangedEvent],
  provides: [factExtractor, graphFacts, namedFacts],
  extensionPoints: [readingInstructions],
  routes: graphRoutes,
  tasks: [extractTask, sweepTask, embedTask, decayWeightsTask],
  subscriptions: [forgetRestored],
  subjects: [
    { table: 'graph.edge', column: 'user_id' },
    { table: 'graph.evidence', column: 'user_id' },
    { table: 'graph.mention', column: 'user_id' },
    { table: 'graph.statement', column: 'user_id' },
    { table: 'graph.reading', column: 'user_id' },
    { table: 'graph.name', column: 'user_id' },
    { table: 'graph.entity', column: 'user_id' },
    { table: 'graph.changed_user', column: 'user_id' },
  ],
  cron: [
    { schedule: '*/2 * * * *', task: 'graph:sweep' },
    { schedule: '*/5 * * * *', task: 'graph:embed' },
    { schedule: '23 * * * *', task: 'graph:decay-weights' },
  ],
  setup(context) {
    const { events, jobs } = context
    const extractor = openExtractor(context)
    const scope = graphScope(context, {
      extractor,
      lanes: extractor.id === 'local' ? new Lanes(1, LOCAL_LANES) : new Lanes(MODEL_LANES, MODEL_LANES_MAX),
    })
    const hook = createWriteHook(events, jobs)
    return {
      scope,
      ports: [bind(factExtractor, extractor), bind(graphFacts, storedFacts), bind(namedFacts, factsInWords)],
      extensions: [
        extend(memoryProcessing, createQueueStep(jobs)),
        extend(memoryWriteHooks, hook),
        extend(memoryParts, createMemoryPart(scope, hook)),
        extend(memoryFilters, entityFilter),
        extend(searchEvidence, graphEvidence),
        extend(searchEvidence, graphAnswers(context.wiring)),
        extend(endedFacts, graphEnded),
        extend(memoryHoldings, graphHoldings),
        extend(queryAliases, graphAliases),
        extend(archiveSections, graphSection),
        extend(backlogSources, readingBacklog),
      ],
    }
  },
})

/** Bounds the readers of all workspaces: reading is bound by the processor, so more at once would only hold more places. */
const LOCAL_LANES = 4
/** While a model answers, the next memories of a workspace are put to it. */
const MODEL_LANES = 3
const MODEL_LANES_MAX = 8

/** A memory that was read, and that a model reads again once there is one, does not wait. */
const readingBacklog = backlogOf({
  kind: 'graph',
  table: 'graph.reading',
  since: 'waiting_since',
  open: `(
    (item.due_at is not null and item.extracted_by is null) or (item.due_at is null and item.error is not null)
  )`,
  waiting: 'item.due_at is not null',
  failed: 'item.due_at is null',
})
