import { type AppError, defineExtensionPoint, definePort, type Tenant, type Tx } from 'mneme/plugin'
import type { MemoryExtensions, MemoryPlace } from './contract/fields.ts'
import type { AddedFilter } from './contract/filters.ts'
import type { Layer, Priority, Relevance, Source, Status } from './contract/words.ts'

export { type ClearedScope, type ClearingHook, memoryClearing } from './contract/clearing.ts'
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
export { type MemoryKey, type MemoryPart, type MemoryVersion, memoryParts } from './contract/part.ts'
export { retentionDays, taskTtlDays } from './contract/settings.ts'
export type { Layer, Priority, Relevance, Source, Status } from './contract/words.ts'
/** The fields of a creation body beside the text, as TypeBox properties, for other routes that make memories. */
export { newMemoryFields } from './schemas.ts'

/** A memory as it is stored. Times are instants; `text` is exactly what the caller sent. */
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
  /** Grows with each change of content; a job that carries an older one is stale. */
  readonly revision: number
  readonly consolidatedInto: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A memory in the list form of the interface, as lists and searches answer it. */
export interface ListedMemory {
  id: string
  memory: string
  user_id: string
  agent_id: string | null
  session_id: string | null
  priority: Priority
  status: Status
  categories: readonly string[]
  metadata: Readonly<Record<string, unknown>> | null
  workspace_id: string
  source: Source
  relevance: Relevance
  created_at: string
  updated_at: string
}

/** A found memory: the list form with its score from 0 to 1, comparable within one answer. */
export interface FoundMemory extends ListedMemory {
  score: number
  /** What the score was made of, where `explain` asked for it; the search plugin documents its form. */
  explanation?: object
}

/** One condition on a metadata value. `path` is the dotted key, split. */
export interface MetadataCondition {
  readonly path: readonly string[]
  readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'exists'
  readonly value: unknown
}

/** Every filter of lists and searches; all given ones must hold. Expired and consolidated memories never pass. */
export interface MemoryFilter {
  readonly userId?: string
  readonly agentId?: string
  readonly sessionId?: string
  readonly priorities?: readonly Priority[]
  /** At least one of them. */
  readonly categories?: readonly string[]
  readonly createdAfter?: Date
  readonly createdBefore?: Date
  readonly metadata?: readonly MetadataCondition[]
  /** Filters of other plugins. */
  readonly added?: readonly AddedFilter[]
}

export type SearchMode = 'hybrid' | 'semantic' | 'keyword'

export interface SearchRequest {
  readonly query: string
  readonly mode: SearchMode
  readonly expand: boolean
  /** Adds to each result what its score was made of; false when left out. */
  readonly explain?: boolean
  readonly filter: MemoryFilter
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

/** The envelope of every search form. */
export interface SearchAnswer {
  data: FoundMemory[]
  total: number
  page: number
  page_size: number
  /** Names this query in feedback. */
  query_hash: string
  /** Says what the search had to do without. */
  warning?: string
}

/** Provided by the search plugin; lists with a `search` parameter go through it. */
export interface MemorySearch {
  search(tenant: Tenant, request: SearchRequest): Promise<SearchAnswer>
}
export const memorySearch = definePort<MemorySearch>('memories.search')

/** Only visible memories are found; expired ones can be told for a while. */
export type MemoryStanding =
  | { readonly state: 'VISIBLE'; readonly status: Status }
  | { readonly state: 'EXPIRED' }
  | { readonly state: 'CONSOLIDATED'; readonly into: string }

/** Provided by the memories plugin: reading by id, in the caller's transaction and so under its workspace. */
export interface MemoryReader {
  /** The visible ones among `ids`, as records, in no particular order; `held` ones stay as they are until the transaction ends. */
  records(tx: Tx, ids: readonly string[], mode?: 'held'): Promise<MemoryRecord[]>
  /** The visible ones among `ids`, no more of them than that they are; `held` as for records. */
  visible(tx: Tx, ids: readonly string[], mode?: 'held'): Promise<string[]>
  /** The list form of the visible ones among `ids`, by id. */
  listed(tx: Tx, ids: readonly string[]): Promise<Map<string, ListedMemory>>
  /** Where a memory stands. @throws MEMORY_NOT_FOUND when the workspace has none of this id */
  standing(tx: Tx, id: string): Promise<MemoryStanding>
  /** The text a memory had at a revision, or undefined when it or its history is gone. */
  textAt(tx: Tx, id: string, revision: number): Promise<string | undefined>
  /** Adds what other plugins show of memories. In transactions of their own, so never call it inside one. */
  withFields<M extends { readonly id: string }>(
    tenant: Tenant,
    memories: readonly M[],
    place: MemoryPlace,
  ): Promise<(M & { extensions?: MemoryExtensions })[]>
  /** Counts hits of a search or reads; written in batches, never on the request path. */
  countAccess(workspaceId: string, ids: readonly string[]): void
}
export const memoryReader = definePort<MemoryReader>('memories.reader')

/** What other plugins create memories with. */
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

/** In the order given: the created record, or why there is none. */
export type CreateResult =
  | { readonly created: MemoryRecord }
  | { readonly duplicateOf: string }
  | { readonly quotaExceeded: true }
  /** A hook of another plugin did not want it. */
  | { readonly refused: AppError }

/** New memories that are ready to be stored; made by {@link MemoryWriter.prepare} alone. */
export interface PreparedMemories {
  readonly records: readonly MemoryRecord[]
  /** Records that hooks of other plugins refused, by id. */
  readonly refused: ReadonlyMap<string, AppError>
  readonly writes: PreparedWrites
}

export interface MemoryWriter {
  /**
   * Does what storing takes before a transaction: hooks of other plugins look at the memories, and their texts are read. Outside of
   * any transaction: it may take a while.
   * @throws SERVICE_UNAVAILABLE when a hook fails
   */
  prepare(tenant: Tenant, memories: readonly NewMemory[]): Promise<PreparedMemories>
  /** Creates what is not there yet, in the caller's transaction, with history, events, index entries and jobs. */
  create(tx: Tx, tenant: Tenant, memories: PreparedMemories): Promise<CreateResult[]>
}
export const memoryWriter = definePort<MemoryWriter>('memories.writer')

/** All that is known of a memory before the transaction that writes it. */
export type MemoryText = Pick<MemoryRecord, 'id' | 'workspaceId' | 'text'>

/** What the `prepare` of each hook answered, by the hook's id. */
export type PreparedWrites = ReadonlyMap<string, ReadonlyMap<string, unknown>>

/**
 * Other plugins' part in a write, inside its transaction. Statements should be issued without waiting for one another.
 * `created` and `updated` get the new state; `removed` covers deletion, expiry and consolidation.
 */
export interface MemoryWriteHook<T = unknown> {
  readonly id: string
  /**
   * What takes time and needs nothing but the texts, before the transaction opens. It answers by memory id, must let the
   * event loop turn every few milliseconds, and must not use the database.
   */
  prepare?(tenant: Tenant, memories: readonly MemoryText[]): Promise<ReadonlyMap<string, T>>
  /** @param prepared what `prepare` answered for these memories, perhaps with others; empty without a `prepare` */
  created(tx: Tx, memories: readonly MemoryRecord[], prepared: ReadonlyMap<string, T>): Promise<void>
  /** @param prepared as for `created` */
  updated(tx: Tx, memories: readonly MemoryRecord[], prepared: ReadonlyMap<string, T>): Promise<void>
  removed(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void>
  /** Near-duplicates were merged, after `removed` had the absorbed ones: what the survivors say was said again. */
  absorbed?(tx: Tx, workspaceId: string, merges: readonly MemoryMerge[]): Promise<void>
}

/** Near-duplicates and the oldest of them, which lives on. */
export interface MemoryMerge {
  readonly survivor: MemoryRecord
  readonly absorbed: readonly MemoryRecord[]
}

export const memoryWriteHooks = defineExtensionPoint<MemoryWriteHook>('memories.writes', {
  members: { id: 'string', created: 'function', updated: 'function', removed: 'function' },
})

/**
 * A step between PENDING and COMPLETED, in ascending `order`. Memories of one workspace come in small batches.
 * `prepare` runs outside any transaction (models, network) and may take its time; `write` runs inside the transaction that
 * completes the memories, only for those whose revision is still current.
 * A `prepare` that throws fails the batch: it is then tried memory by memory.
 */
export interface ProcessingStep<T = unknown> {
  readonly id: string
  readonly order: number
  prepare(tenant: Tenant, memories: readonly MemoryRecord[]): Promise<ReadonlyMap<string, T>>
  write(tx: Tx, memories: readonly MemoryRecord[], prepared: ReadonlyMap<string, T>): Promise<void>
}
export const memoryProcessing = defineExtensionPoint<ProcessingStep>('memories.processing', {
  members: { id: 'string', order: 'number', prepare: 'function', write: 'function' },
})

/** A feedback signal, for the plugin that learns from it; inside the transaction that stores it. */
export interface FeedbackSignal {
  readonly workspaceId: string
  readonly memoryId: string
  readonly signal: 'POSITIVE' | 'NEGATIVE' | 'NEUTRAL'
  readonly queryHash: string | null
}
/**
 * `prepare` runs before that transaction opens (models, look-ups), and what it makes is handed to `received`. A signal is never
 * lost for what can be done without: a `prepare` that throws fails the request, so it throws only for what cannot.
 */
export interface FeedbackListener<T = unknown> {
  readonly id: string
  prepare?(tenant: Tenant, signal: FeedbackSignal): Promise<T>
  /** `prepared` is undefined without a `prepare`. */
  received(tx: Tx, signal: FeedbackSignal, prepared: T | undefined): Promise<void>
}
export const memoryFeedback = defineExtensionPoint<FeedbackListener>('memories.feedback', {
  members: { id: 'string', received: 'function' },
})

/** The profile of a user, provided by the plugin that compiles knowledge; without one every profile is null. */
export interface ProfileSource {
  profile(tenant: Tenant, userId: string): Promise<MemoryProfile | null>
}
export interface MemoryProfile {
  userId: string
  workspaceId: string
  summary: string
  topics: string[]
  entityCount: number
  extractedAt: string
}
export const memoryProfiles = definePort<ProfileSource>('memories.profiles')
