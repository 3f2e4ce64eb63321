import type {
  Background,
  Database,
  Embedder,
  EventPublisher,
  JobQueue,
  LanguageModel,
  Logger,
  PluginContext,
  Quarantine,
  TenantDirectory,
  UsageMeter,
  Wiring,
} from 'mneme/plugin'
import type { Extractor } from './contract.ts'
import { DrawnExtractions } from './tasks/drawn-extractions.ts'
import type { Lanes } from './tasks/lanes.ts'
import { openReadings, type Readings } from './tasks/reading-queue.ts'

/** The scope that routes, tasks and subscriptions receive. */
export interface GraphScope {
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly events: EventPublisher
  readonly jobs: JobQueue
  readonly wiring: Wiring
  readonly usage: Pick<UsageMeter, 'tokens'>
  readonly background: Background
  readonly quarantine: Quarantine
  readonly embedder: Embedder
  /** `none`, or away at times: every use has a local way beside it. */
  readonly language: LanguageModel
  readonly extractor: Extractor
  /** Metrics of the readers of waiting memories. */
  readonly lanes: Lanes
  /** The extractions that are not written yet. */
  readonly drawn: DrawnExtractions
  /** The memories that wait to be read. */
  readonly readings: Readings
  readonly log: Logger
}

/** The kernel's services together with those that the plugin makes itself. */
export function graphScope(lent: PluginContext<unknown>, made: Pick<GraphScope, 'extractor' | 'lanes'>): GraphScope {
  const { database, tenants, events, jobs, wiring, usage, background, quarantine, embedder, language, log, metrics } =
    lent
  const readings = openReadings({ measure: { registry: metrics, database } })
  const services = { database, tenants, events, jobs, wiring, usage, background, quarantine, embedder, language, log }
  return { ...services, readings, drawn: new DrawnExtractions(), ...made }
}
