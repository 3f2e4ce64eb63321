import { defineExtensionPoint, definePort, type Tenant, type Tx } from 'mneme/plugin'
import type { MemoryExtensions, MemoryPlace } from './contract/fields.ts'
import type { AddedFilter, MemorySelect } from './contract/filters.ts'
import type { MemoryHolding } from './contract/holding.ts'
import type { FoundMemory, ListedMemory } from './contract/listed-memory.ts'
import type { MetadataCondition } from './contract/metadata-filter.ts'
import type { MemoryRecord } from './contract/record.ts'
import type { MemoryStanding, RemovalReason } from './contract/standing.ts'
import type { Priority, Status } from './contract/words.ts'
import type { Restatement } from './contract/writer.ts'

export * from './contract/archive.ts'
export * from './contract/attribution.ts'
export * from './contract/clearing.ts'
export * from './contract/deletions.ts'
export * from './contract/erasing.ts'
export * from './contract/feedback.ts'
export * from './contract/fields.ts'
export * from './contract/filters.ts'
export * from './contract/holding.ts'
export * from './contract/intake.ts'
export * from './contract/listed-memory.ts'
export { memoryRow } from './contract/memory-row.ts'
export * from './contract/metadata-condition.ts'
export * from './contract/metadata-filter.ts'
export * from './contract/part.ts'
export * from './contract/profiles.ts'
export * from './contract/record.ts'
export { type SecretsMode, screen, screener, screenFields, secretsMode } from './contract/secrets.ts'
export * from './contract/settings.ts'
export * from './contract/standing.ts'
export * from './contract/stated-at.ts'
export * from './contract/statistics.ts'
export { timezoneField, workspaceTimezone } from './contract/timezone.ts'
export * from './contract/words.ts'
export * from './contract/writer.ts'
/** The kinds of events that tell of memories; `subscriptionsOf` types their data. */
export { memoryEvents } from './events.ts'
/** Others that create or find memories reuse these: limits, and TypeBox properties of bodies without their text and of filters. */
export {
  CATEGORIES_MAX,
  CATEGORY_MAX,
  categoriesField,
  filterFields,
  ID_MAX,
  identifier,
  LAYERS,
  minScoreField,
  modelInstructions,
  newMemoryFields,
  newMemoryFormFields,
  ownerFilters,
  QUERY_MAX,
  SEARCH_MODES,
  TEXT_MAX,
} from './schemas.ts'

/** The filters of lists and searches; all given ones must hold. Expired and consolidated memories never pass. */
export interface MemoryFilter {
  readonly userId?: string
  readonly agentId?: string
  readonly sessionId?: string
  readonly priorities?: readonly Priority[]
  /** A memory passes if it has at least one of these categories. */
  readonly categories?: readonly string[]
  readonly createdAfter?: Date
  readonly createdBefore?: Date
  readonly metadata?: readonly MetadataCondition[]
  /** Filters that other plugins contribute. */
  readonly added?: readonly AddedFilter[]
}

export type SearchMode = 'hybrid' | 'semantic' | 'keyword'

export interface SearchRequest {
  readonly query: string
  readonly mode: SearchMode
  readonly expand: boolean
  /** Adds to each result the parts of its score; defaults to false. */
  readonly explain?: boolean
  readonly filter: MemoryFilter
  /** The IANA time zone in which the times that the query names are read; that of the workspace when left out. */
  readonly timezone?: string | undefined
  /** Results with a lower score are left out, and not counted. */
  readonly minScore?: number | undefined
  /** Pages are counted from 1. */
  readonly page: number
  readonly pageSize: number
}

/** The response body of every search route. */
export interface SearchResponse {
  data: FoundMemory[]
  total: number
  page: number
  page_size: number
  /** Feedback refers to the query by this hash. */
  query_hash: string
  /** Tells the caller what was missing, such as an unavailable model. */
  warning?: string
}

/** The search plugin provides this port; lists with a `search` parameter use it. */
export interface MemorySearch {
  search(tenant: Tenant, request: SearchRequest): Promise<SearchResponse>
}
export const memorySearch = definePort<MemorySearch>('memories.search')

/** Reads memories by id in the caller's transaction, and therefore in its workspace. The memories plugin provides this port. */
export interface MemoryReader {
  /** Reads the visible memories among `ids`, in no particular order; `locked` locks them against changes until the transaction ends. */
  records(tx: Tx, ids: readonly string[], mode?: 'locked'): Promise<MemoryRecord[]>
  /** Returns the ids of the visible memories among `ids`; `locked` works as for records. */
  visible(tx: Tx, ids: readonly string[], mode?: 'locked'): Promise<string[]>
  /** Counts the visible memories among those that `select` gives, in the database: their ids never come into this process. */
  countVisible(tx: Tx, select: MemorySelect): Promise<number>
  /** Tells of visible memories whether they hold now; those of which nothing is known are left out. */
  holdings(tx: Tx, records: readonly MemoryRecord[]): Promise<ReadonlyMap<string, MemoryHolding>>
  /** Reads list items of the visible memories among `ids`, keyed by id. */
  listed(tx: Tx, ids: readonly string[]): Promise<Map<string, ListedMemory>>
  /** Reads whether a memory is visible. @throws MEMORY_NOT_FOUND when the workspace has no memory of this id */
  standing(tx: Tx, id: string): Promise<MemoryStanding>
  /** Reads the same of each memory among `ids` that the workspace has, keyed by id. */
  standings(tx: Tx, ids: readonly string[]): Promise<Map<string, MemoryStanding>>
  /** Reads how far the processing of the visible memories among `ids` is, keyed by id. */
  statuses(tx: Tx, ids: readonly string[]): Promise<Map<string, Status>>
  /** Reads the text a memory had at a revision; undefined when the memory or its history is deleted. */
  textAt(tx: Tx, id: string, revision: number): Promise<string | undefined>
  /** Adds the fields of other plugins. They open their own transactions, so never call this inside one. */
  withFields<M extends { readonly id: string }>(
    tenant: Tenant,
    memories: readonly M[],
    place: MemoryPlace,
  ): Promise<(M & { extensions?: MemoryExtensions })[]>
  /** Counts reads and search hits; the counts are written in batches, never on the request path. */
  countAccess(workspaceId: string, ids: readonly string[]): void
}
export const memoryReader = definePort<MemoryReader>('memories.reader')

/** The fields of a memory that are known before the transaction that writes it. */
export type MemoryText = Pick<MemoryRecord, 'id' | 'workspaceId' | 'text'>

/**
 * Takes part in every write, inside its transaction. A hook should issue its statements without awaiting them one by one. `created` and
 * `updated` receive the new state; `removed` covers deletion, expiry and consolidation, and is told which of them it is.
 */
export interface MemoryWriteHook<T = unknown> {
  readonly id: string
  /**
   * Does slow work that needs the texts alone, before the transaction opens. The result is keyed by memory id. It must yield to the event
   * loop every few milliseconds and must not use the database.
   */
  prepare?(tenant: Tenant, memories: readonly MemoryText[]): Promise<ReadonlyMap<string, T>>
  /** @param prepared results of `prepare` for these memories and possibly others; empty without a `prepare` */
  created(tx: Tx, memories: readonly MemoryRecord[], prepared: ReadonlyMap<string, T>): Promise<void>
  /**
   * @param prepared as for `created`
   * @param sameText ids of those whose text is as it was, so that what was made of it holds; without it any text may be another
   */
  updated(
    tx: Tx,
    memories: readonly MemoryRecord[],
    prepared: ReadonlyMap<string, T>,
    sameText?: ReadonlySet<string>,
  ): Promise<void>
  /** Hears of memories whose session and metadata were set; `updated` follows for those whose categories changed. */
  amended?(tx: Tx, memories: readonly MemoryRecord[]): Promise<void>
  removed(tx: Tx, workspaceId: string, ids: readonly string[], why: RemovalReason): Promise<void>
  /** Follows `removed` for the absorbed memories of a merge, because the statement of each survivor was repeated. */
  absorbed?(tx: Tx, workspaceId: string, merges: readonly MemoryMerge[]): Promise<void>
  /** Hears of memories whose text was stated again without another memory of it. */
  restated?(tx: Tx, workspaceId: string, restatements: readonly Restatement[]): Promise<void>
  /**
   * Comes before `removed` for deleted memories, once for each piece of such texts: earlier versions, and all versions of memories that had
   * expired or were absorbed, for which `removed` had come already.
   */
  erased?(tx: Tx, workspaceId: string, texts: readonly string[]): Promise<void>
}

/** The near-duplicates of one merge and the oldest of them, which survives. */
export interface MemoryMerge {
  readonly survivor: MemoryRecord
  readonly absorbed: readonly MemoryRecord[]
}

export const memoryWriteHooks = defineExtensionPoint<MemoryWriteHook>('memories.writes', {
  members: { id: 'string', created: 'function', updated: 'function', removed: 'function' },
})

/**
 * A step between PENDING and COMPLETED; steps run in ascending `order` on small batches of one workspace. `prepare` runs outside any
 * transaction (models, network) and may be slow. `write` runs inside the transaction that completes the memories, only for those whose
 * revision is still current. If `prepare` throws, the batch is retried memory by memory.
 */
export interface ProcessingStep<T = unknown> {
  readonly id: string
  readonly order: number
  prepare(tenant: Tenant, memories: readonly MemoryRecord[]): Promise<ReadonlyMap<string, T>>
  write(tx: Tx, memories: readonly MemoryRecord[], prepared: ReadonlyMap<string, T>): Promise<void>
  /** Runs at the end of that transaction, for rows that many writers share: others wait for their locks until it commits. */
  finish?(tx: Tx, memories: readonly MemoryRecord[], prepared: ReadonlyMap<string, T>): Promise<void>
}
export const memoryProcessing = defineExtensionPoint<ProcessingStep>('memories.processing', {
  members: { id: 'string', order: 'number', prepare: 'function', write: 'function' },
})
