import {
  defineExtensionPoint,
  definePort,
  instant,
  oneOf,
  type Static,
  type Tenant,
  type Tx,
  Type,
  text,
  uuid,
} from 'mneme/plugin'
import {
  CATEGORIES_MAX,
  CATEGORY_MAX,
  ID_MAX,
  LAYERS,
  metadataOrNull,
  PRIORITIES,
  SIGNALS,
  SOURCES,
  TEXT_MAX,
} from '../schemas.ts'

/**
 * A line of an archive, or an item of one in JSON, has at most so many bytes, its break not counted. Exports write none that is longer, and
 * imports refuse it.
 */
export const ARCHIVE_LINE_BYTES_MAX = 1024 * 1024

const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()])
/** It can be counted on from there: the columns hold twice as much. */
const count = (minimum = 0) => Type.Integer({ minimum, maximum: 1_000_000_000 })
const identifier = () => text({ minLength: 1, maxLength: ID_MAX })
const content = () => text({ minLength: 1, maxLength: TEXT_MAX })
const categories = () => Type.Array(text({ minLength: 1, maxLength: CATEGORY_MAX }), { maxItems: CATEGORIES_MAX * 5 })

/** One event of a memory's history. Ids are of version 7 and ascend with the timeline. */
export const archivedEvent = Type.Object({
  id: uuid(),
  event: oneOf(['CREATED', 'UPDATED', 'CONSOLIDATED', 'RESTORED']),
  old_content: nullable(content()),
  new_content: content(),
  revision: count(1),
  absorbed_id: nullable(uuid()),
  created_at: instant(),
})

export type ArchivedEvent = Static<typeof archivedEvent>

/** A memory with every field that a copy needs to be the same memory, including those that lists do not show. */
export const archivedMemory = Type.Object({
  id: uuid(),
  memory: text({ minLength: 1, maxLength: TEXT_MAX, notBlank: true }),
  user_id: identifier(),
  agent_id: nullable(identifier()),
  session_id: nullable(identifier()),
  priority: oneOf(PRIORITIES),
  categories: categories(),
  metadata: metadataOrNull,
  layer: oneOf(LAYERS),
  expires_at: nullable(instant()),
  source: oneOf(SOURCES),
  revision: count(1),
  /** The survivor of its merge; a merged memory is in no list. */
  consolidated_into: nullable(uuid()),
  /** The values from before it gained any by absorbing another; null while it has gained none. */
  own_categories: nullable(categories()),
  own_priority: nullable(oneOf(PRIORITIES)),
  access_count: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  last_accessed_at: nullable(instant()),
  feedback: nullable(
    Type.Object({
      positive: count(),
      negative: count(),
      neutral: count(),
      last_signal: nullable(oneOf(SIGNALS)),
      last_feedback_at: nullable(instant()),
    }),
  ),
  created_at: instant({ happened: true }),
  updated_at: instant({ happened: true }),
  /** Archives of earlier versions leave it out. */
  text_changed_at: Type.Optional(nullable(instant({ happened: true }))),
  /** The events, oldest first; omitted unless requested. */
  history: Type.Optional(Type.Array(archivedEvent, { maxItems: 10_000 })),
})
export type ArchivedMemory = Static<typeof archivedMemory>

/** Later events of a memory whose history is too long to stand with it. */
export const archivedHistory = Type.Object({ id: uuid(), history: Type.Array(archivedEvent, { maxItems: 10_000 }) })
export type ArchivedHistory = Static<typeof archivedHistory>

export interface ArchiveScope {
  readonly userId?: string | undefined
  /** At least one of them. */
  readonly categories?: readonly string[] | undefined
  readonly withHistory: boolean
  /** The last id that belongs to it; see {@link MemoryArchive.lastId}. */
  readonly upTo?: string | undefined
}

/**
 * The outcome for an archived memory. `known`: the workspace has its id or its text already, or it expired this moment. A merged memory whose
 * survivor is not here fares as that one did.
 */
export type ArchiveResult = 'stored' | 'known' | 'no-room' | 'refused'

/** The outcome of storing memories of an archive. */
export interface StoredArchive {
  /** One per memory, in the order given. */
  readonly results: readonly ArchiveResult[]
  /** Finds by the id of a memory that was left out the one that holds its text here. Others of the archive may be merged into it. */
  readonly holders: ReadonlyMap<string, string>
}

/** Archived memories that are ready to be stored; only {@link MemoryArchive.prepare} makes them. */
export interface PreparedArchive {
  readonly memories: readonly ArchivedMemory[]
  /** The ids of memories that a hook of another plugin refused. */
  readonly refused: ReadonlySet<string>
  /** The results of each write hook's `prepare`, by the hook's id and then by memory id. */
  readonly writes: ReadonlyMap<string, ReadonlyMap<string, unknown>>
}

/** Copies memories out of a workspace and into one, with their ids, times and history. Provided by the memories plugin. */
export interface MemoryArchive {
  count(tx: Tx, workspaceId: string, scope: ArchiveScope): Promise<number>
  /** Reads the highest id. New memories have higher ones unless they are copied in, so an archive up to this id is bounded. */
  lastId(tx: Tx, workspaceId: string): Promise<string | undefined>
  /**
   * Reads the next memories in ascending order of id, including merged ones but not expired ones: at most `limit`, fewer where they are
   * long, none after the last. Of one with a history that is longer than a page, `history` is left out: {@link MemoryArchive.history} reads it.
   */
  page(
    tx: Tx,
    workspaceId: string,
    scope: ArchiveScope,
    after: string | undefined,
    limit: number,
  ): Promise<ArchivedMemory[]>
  /** Reads the next part of a memory's history, oldest first; none after the last. */
  history(tx: Tx, workspaceId: string, id: string, after: ArchivedEvent | undefined): Promise<ArchivedEvent[]>
  /** Finds the memories whose texts stand in a memory's history. */
  absorbed(tx: Tx, workspaceId: string, id: string): Promise<string[]>
  /**
   * Does the slow part of storing; call it outside any transaction.
   * @throws SERVICE_UNAVAILABLE when a hook fails
   */
  prepare(tenant: Tenant, memories: readonly ArchivedMemory[]): Promise<PreparedArchive>
  /**
   * Stores memories that the workspace lacks and queues them for processing. None of them is merged into another: where they come from they
   * stood apart.
   * @param holders those that storing found before for memories of the same archive
   */
  store(
    tx: Tx,
    tenant: Tenant,
    prepared: PreparedArchive,
    holders?: ReadonlyMap<string, string>,
  ): Promise<StoredArchive>
  /** Adds later events to the histories of memories that were stored before; those of memories that are gone are left out. */
  storeHistory(tx: Tx, workspaceId: string, histories: readonly ArchivedHistory[]): Promise<void>
  /** Finds the memories that hold texts, the user's own before those of others, keyed by the SHA-256 of each in hexadecimal, which is taken of its composed form (NFC), trimmed. */
  holders(tx: Tx, workspaceId: string, userId: string, hashes: readonly string[]): Promise<Map<string, string>>
  /** Finds the ids of memories whose processing is not complete. */
  unprocessed(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<string[]>
}
export const memoryArchive = definePort<MemoryArchive>('memories.archive')

/**
 * The data that a plugin contributes to archives beside the memories. All of it is copied out; data that the plugin can derive
 * from the memories need not be restored.
 */
export interface ArchiveSection {
  /** Exports include the section by this word. */
  readonly name: string
  /** The types of its records; no other section has them. */
  readonly types: readonly string[]
  /** `page` heeds the scope's categories. An export of some categories leaves out the sections that do not, which would tell of others. */
  readonly heedsCategories?: boolean
  /** Its records say nothing to people: an export that is to be read leaves the section out. */
  readonly isForImports?: boolean
  /** Reads the next records in the section's own order, at most `limit`. `next` is undefined after the last page. */
  page(
    tx: Tx,
    workspaceId: string,
    scope: ArchiveScope,
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly records: readonly ArchiveRecord[]; readonly next: string | undefined }>
  /**
   * Puts records of this section back, after all memories were stored; what is there stays as it is. Left out where the
   * plugin derives them from memories.
   * @returns the number of records that were put back, and why others could not be
   */
  restore?(
    tenant: Tenant,
    records: readonly ArchiveRecord[],
  ): Promise<{
    readonly restored: number
    readonly faults: readonly { readonly at: number; readonly message: string }[]
  }>
}

/**
 * One line of an archive: `type` is unique among all sections. Of one that is longer than {@link ARCHIVE_LINE_BYTES_MAX}, an export leaves
 * the largest fields out and names them in `left_out`.
 */
export interface ArchiveRecord {
  readonly type: string
  readonly [field: string]: unknown
}

export const archiveSections = defineExtensionPoint<ArchiveSection>('memories.archive-sections', {
  members: { name: 'string', types: 'object', page: 'function' },
})
