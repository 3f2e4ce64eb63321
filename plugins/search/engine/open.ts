import { type Chore, type ConfigFault, type Database, type HealthCheck, type Logger, splitList } from 'mneme/plugin'
import { Gauge, type Registry } from 'prom-client'
import type { SearchEngine } from './engine.ts'
import { openPostgresEngine } from './postgres/index.ts'
import type { TypesenseEngine } from './typesense/index.ts'
import { markIndexStale } from './typesense/index-state.ts'

export interface EngineSettings {
  readonly TYPESENSE_URL?: string
  readonly TYPESENSE_API_KEY?: string
  readonly SEARCH_INDEX_MEMORY_MB?: number
}

/** The configured engine, with the chores and checks that the plugin registers. */
export interface OpenedEngine {
  readonly engine: SearchEngine
  readonly typesense: TypesenseEngine | undefined
  readonly healthCheck: HealthCheck
  readonly chores: readonly Chore[]
  stop(): void
}

interface Surroundings {
  readonly database: Database
  readonly log: Logger
  readonly metrics: Registry
}

/** An idle sender checks for writes at this interval. */
const SEND_EVERY_MS = 250

/** A process without Typesense says so at this interval; the others wait for three of them before they build an index. */
const MARK_STALE_EVERY_MS = 10_000

export function engineFaults({ TYPESENSE_URL, TYPESENSE_API_KEY }: EngineSettings): ConfigFault[] {
  const urls = splitList(TYPESENSE_URL)
  const isUnreadable = !urls.every(url => URL.canParse(url))
  const isLocked = urls.length > 0 && !TYPESENSE_API_KEY
  return [
    ...(isUnreadable ? [{ name: 'TYPESENSE_URL', message: 'must be addresses such as http://127.0.0.1:8108.' }] : []),
    ...(isLocked ? [{ name: 'TYPESENSE_API_KEY', message: 'is required with TYPESENSE_URL.' }] : []),
  ]
}

export async function openEngine(settings: EngineSettings, surroundings: Surroundings): Promise<OpenedEngine> {
  const { database, log } = surroundings
  const postgres = await openPostgresEngine(database, { log, memoryMbMax: settings.SEARCH_INDEX_MEMORY_MB })
  const vectorIndexes: Chore = {
    name: 'search.vector-indexes',
    everyMs: 60_000,
    atStop: false,
    run: () => postgres.upkeep(),
  }
  const urls = splitList(settings.TYPESENSE_URL)
  if (urls.length === 0) {
    return {
      engine: postgres,
      typesense: undefined,
      healthCheck: { name: 'search', essential: true, check: () => postgres.check() },
      chores: [staleMarker(database), vectorIndexes],
      stop: () => undefined,
    }
  }
  const { TYPESENSE_API_KEY: apiKey = '' } = settings
  const { FORSAKEN, openTypesenseEngine } = await import('./typesense/index.ts')
  const typesense = await openTypesenseEngine({ database, postgres, urls, apiKey, log })
  const { upkeep, proposals } = typesense
  measure(surroundings.metrics, typesense)
  log.info({ nodes: urls.map(url => new URL(url).host) }, 'searches use Typesense')
  return {
    engine: typesense,
    typesense,
    healthCheck: {
      name: 'search',
      essential: true,
      check: () => typesense.check(),
      // Postgres serves searches meanwhile, so the process should stay in rotation.
      state: () => (upkeep.away || proposals.away || !upkeep.serving ? 'degraded' : 'ok'),
      details: () => {
        const problem = upkeep.problem ?? (upkeep.forsaken ? FORSAKEN : undefined)
        return problem === undefined ? undefined : { typesense: problem }
      },
    },
    chores: [
      { name: 'search.typesense', everyMs: SEND_EVERY_MS, atStop: false, run: () => upkeep.run() },
      vectorIndexes,
    ],
    stop: () => upkeep.stop(),
  }
}

/**
 * Marks an index of other processes, or of an earlier configuration, as stale as long as this one runs, whose writes are not sent there.
 */
function staleMarker(database: Database): Chore {
  return {
    name: 'search.no-typesense',
    everyMs: MARK_STALE_EVERY_MS,
    // A command runs no chores but at its stop, and has written no memories; the others wait long enough for the last writes of a server.
    atStop: false,
    run: () => database.system(markIndexStale),
  }
}

function measure(registry: Registry, { upkeep, proposals, recall }: TypesenseEngine): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      },
    })
  gauge('mneme_search_index_waiting', 'Memories that wait to be sent to Typesense.', () => upkeep.size.waiting)
  gauge('mneme_search_index_failing', 'Memories that Typesense refuses.', () => upkeep.size.failing)
  gauge('mneme_search_index_filling', 'Memories that a rebuild has yet to send.', () => upkeep.size.filling)
  gauge(
    'mneme_search_fallbacks',
    'Searches that Postgres served since the start because Typesense was unavailable.',
    () => proposals.fallbacks,
  )
  gauge(
    'mneme_search_index_recall',
    'The share of the nearest memories that the vector index of Typesense found in the last comparisons.',
    () => recall.recall,
  )
}
