import { type AppError, defineExtensionPoint, definePort, type Tenant, type Tx } from 'mneme/plugin'
import type { MemoryExtensions, MemoryPlace } from './contract/fields.ts'
import type { AddedFilter, MemorySelect } from './contract/filters.ts'
import type { FoundMemory, ListedMemory } from './contract/listed-memory.ts'
import type { MemoryStanding, RemovalReason } from './contract/standing.ts'
import type { Layer, Priority, Source, Status } from './contract/words.ts'

export * from './contract/archive.ts'
export * from './contract/attribution.ts'
export { type ClearedScope, type ClearingHook, memoryClearing } from './contract/clearing.ts'
export { forgetsDeletedMemories } from './contract/deletions.ts'
export { type FeedbackListener, type FeedbackSignal, memoryFeedback } from './contract/feedback.ts'
export {
  addedFields,
  FIELD_MS,
  FIELD_MS_MAX,
  isShownAt,
  type MemoryExtensions,
  type MemoryFieldSource,
  type MemoryPlace,
  memoryFields,
} from './contract/fields.ts'
export {
  type AddedFilter,
  addedConditions,
  addedParameters,
  FILTER_IDS_MAX,
  type MemoryFilterSource,
  type MemorySelect,
  memoryFilter,
  memoryFilters,
  type PassingMemories,
  resolveAddedFilters,
} from './contract/filters.ts'
export {
  INTAKE_MS,
  INTAKE_MS_MAX,
  type IncomingMemory,
  type IntakeChange,
  type IntakeVerdict,
  intakeErrors,
  type MemoryIntakeHook,
  memoryIntake,
} from './contract/intake.ts'
export { type FoundMemory, type ListedMemory, listedMemory, memoryCore, memoryTimes } from './contract/listed-memory.ts'
export { type MemoryKey, type MemoryPart, type MemoryVersion, memoryParts } from './contract/part.ts'
export { type MemoryProfile, memoryProfiles, type ProfileSource } from './contract/profiles.ts'
export { memoriesTarget, retentionDays, taskTtlDays } from './contract/settings.ts'
export type { MemoryStanding, RemovalReason } from './contract/standing.ts'
export { CONVERSATION_KEYS, statedAt } from './contract/stated-at.ts'
export { type CategoryCount, type MemoryStatistics, memoryStatistics } from './contract/statistics.ts'
export * from './contract/words.ts'
/** The kinds of events that tell of memories; `subscriptionsOf` types their data. */
export { memoryEvents } from './events.ts'
/**
 * Others that create or find memories reuse these: the limit of categories, and the TypeBox properties of the creation body without its text
 * and of the filters by owner.
 */
export { CATEGORIES_MAX, newMemoryFields, newMemoryFormFields, ownerFilters } from './schemas.ts'

/** A stored memory. Times are instants; `text` is exactly what the caller sent. */
export interface MemoryRecord {
  readonly id: string
  readonly workspaceId: string
  readonly text: string
  readonly userId: string
  readonly agentId: string | null
  readonly sessionId: string | null
  readonly priority: Priority
  readonly status: Status
  readonly categories: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly layer: Layer
  readonly expiresAt: Date | null
  readonly source: Source
  /** The revision grows with each change of content; a job that carries an older one is stale. */
  readonly revision: number
  readonly consolidatedInto: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** One condition on a metadata value. `path` is the dotted key, split at its dots. */
export interface MetadataCondition {
  readonly path: readonly string[]
  readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'exists'
  readonly value: unknown
}

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

/** The input for memories that other plugins create. */
export interface NewMemory {
  readonly text: string
  readonly userId?: string
  readonly agentId?: string | null
  readonly sessionId?: string | null
  readonly priority?: Priority
  readonly categories?: readonly string[]
  readonly metadata?: Readonly<Record<string, unknown>> | null
  readonly layer?: Layer
  readonly expiresAt?: Date | null
  readonly source: Source
}

/** One result per input, in the order given: the created record, or the reason there is none. */
export type CreateResult =
  | { readonly created: MemoryRecord }
  | { readonly duplicateOf: string }
  | { readonly quotaExceeded: true }
  /** An intake hook of another plugin refused the memory. */
  | { readonly refused: AppError }

/** Memories that are ready to be stored. Only {@link MemoryWriter.prepare} makes these. */
export interface PreparedMemories {
  readonly records: readonly MemoryRecord[]
  /** The errors of intake hooks that refused a record, by the record's id. */
  readonly refused: ReadonlyMap<string, AppError>
  readonly writes: PreparedWrites
  /** The number of memories of the same request stored before these; later ones are processed after ordinary memories of others. */
  readonly placeOffset?: number
}

export interface MemoryWriter {
  /**
   * Runs the intake hooks of other plugins and lets write hooks analyse the texts. This may take a while, so call it outside any
   * transaction.
   * @throws SERVICE_UNAVAILABLE when a hook fails
   */
  prepare(tenant: Tenant, memories: readonly NewMemory[]): Promise<PreparedMemories>
  /** Creates the memories that do not exist yet in the caller's transaction, with history, events, index entries and jobs. */
  create(tx: Tx, tenant: Tenant, memories: PreparedMemories): Promise<CreateResult[]>
  /**
   * Notes that memories were stated again word for word, in the caller's transaction: what is drawn from them holds again since then, and they
   * count as recent.
   */
  restate(tx: Tx, tenant: Tenant, restatements: readonly Restatement[]): Promise<void>
  /** Changes what is beside texts, outside any transaction; a memory that changed meanwhile stays. @returns how many are processed again */
  amend(tenant: Tenant, amendments: readonly MemoryAmendment[]): Promise<number>
  /** Returns how many of `wanted` memories fit into the plan, up to all. Call it first in the transaction that adds them. */
  room(tx: Tx, tenant: Tenant, wanted: number): Promise<number>
  /**
   * Deletes memories for good in the caller's transaction, with all that holds their text. Ids without a memory are no fault.
   * @returns the ids that are gone, including those of memories that deleted ones had absorbed
   */
  remove(tx: Tx, tenant: Tenant, ids: readonly string[]): Promise<readonly string[]>
}
/** A memory as the caller knows it, with what it is to carry; other categories than before let it be processed again. */
export interface MemoryAmendment extends Pick<MemoryRecord, 'sessionId' | 'categories' | 'metadata'> {
  readonly memory: MemoryRecord
}
/** A memory and an instant at which its text was stated once more, without another memory of it. */
export interface Restatement {
  readonly memoryId: string
  readonly statedAt: Date
}
export const memoryWriter = definePort<MemoryWriter>('memories.writer')

/** The fields of a memory that are known before the transaction that writes it. */
export type MemoryText = Pick<MemoryRecord, 'id' | 'workspaceId' | 'text'>

/** The results of each hook's `prepare`, by the hook's id and then by memory id. */
export type PreparedWrites = ReadonlyMap<string, ReadonlyMap<string, unknown>>

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
  /** @param prepared as for `created` */
  updated(tx: Tx, memories: readonly MemoryRecord[], prepared: ReadonlyMap<string, T>): Promise<void>
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
