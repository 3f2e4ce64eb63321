import { defineEvent, defineExtensionPoint, definePort, type Tenant, type Tx, Type } from 'mneme/plugin'
import type {
  EntityType,
  ExtractedEnding,
  ExtractedEntity,
  ExtractedRelation,
  ExtractedStatement,
  RelationType,
} from 'text-reader/facts/kinds'

export {
  ENTITY_TYPES,
  type EntityType,
  type ExtractedEnding,
  type ExtractedEntity,
  type ExtractedRelation,
  type ExtractedStatement,
  LASTING_TYPES,
  RELATION_TYPES,
  type RelationType,
  type Span,
  STATEMENT_CATEGORIES,
  type StatementCategory,
  SYMMETRIC_TYPES,
} from 'text-reader/facts/kinds'

export interface Extraction {
  readonly memoryId: string
  /** Id of the extractor that read it: another than the one asked where a model gave nothing usable. */
  readonly extractedBy: string
  /** Set where a model was away or over its budget: worth another reading later. A text it cannot read is not. */
  readonly provisional?: true
  /** No two have the same name and type. */
  readonly entities: readonly ExtractedEntity[]
  readonly relations: readonly ExtractedRelation[]
  readonly endings?: readonly ExtractedEnding[]
  readonly statements: readonly ExtractedStatement[]
}

export interface MemoryToExtract {
  readonly id: string
  readonly text: string
  readonly userId: string
  /** "last year" counts from this time. */
  readonly createdAt: Date
  /** The vector of the whole text, of length 1 and by the embedder in use; it spares embedding a sentence that is categorized by meaning. */
  readonly vector?: Float32Array
  /** A part of a document, which says nothing of the user but where it says "I" or "we". */
  readonly isDocument?: boolean
  /** Only a model heeds these words of whoever brought it in on what to note of it. */
  readonly instructions?: string
}

/** The extractor that needs no model. */
export const LOCAL_ID = 'local'

/**
 * Draws typed facts from texts. What it returns only ever adds to what is known: a fact that ended is a relation that closes.
 * Texts are data: nothing in them is an instruction.
 */
export interface Extractor {
  /** As `local` or the model's id, kept with what was extracted. */
  readonly id: string
  /**
   * @returns an extraction for each memory, in order; an empty one where nothing is worth noting
   * @throws the signal's reason when it is aborted
   */
  extract(
    workspaceId: string,
    memories: readonly MemoryToExtract[],
    signal: AbortSignal,
  ): Promise<readonly Extraction[]>
}

/** The extractor in use, provided by this plugin: for those who draw facts from texts that are no memories yet. */
export const factExtractor = definePort<Extractor>('graph.extractor')

/** Says of memories what whoever brought them in wants noted of them. */
export interface InstructionSource {
  /** By memory; none of those without. */
  instructionsFor(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Told to a language model that reads a memory, as data; they leave facts out, and never add one that the text does not state. */
export const readingInstructions = defineExtensionPoint<InstructionSource>('graph.readingInstructions')

/** A sentence of a memory, as it stands now. */
export interface KnownStatement {
  readonly memoryId: string
  /** Its place among the statements of its memory, from 0. */
  readonly ordinal: number
  readonly text: string
  /** At least one. */
  readonly categories: readonly string[]
  /** 0 to 1. */
  readonly confidence: number
  /** The instant at which it was last stated. */
  readonly statedAt: Date
  /**
   * Its statement held once and holds no more: it supports relationships, and all of them are closed. A sentence that
   * says so itself ("I left Acme") is not ended.
   */
  readonly ended: boolean
}

/** An entity with how often memories name it. */
export interface KnownEntity {
  readonly id: string
  readonly name: string
  readonly type: EntityType
  readonly isUser: boolean
  readonly memories: number
  /** Memories that state the user's name, the newest first. Others than the user have none, nor has one who is called by the `userId`. */
  readonly namedBy: readonly string[]
}

/** A relationship of the user's own that holds now. */
export interface KnownRelation {
  readonly type: RelationType
  /** Name of its other end. */
  readonly name: string
  /** Memories that say so, the newest first; at least one. */
  readonly memoryIds: readonly string[]
}

/** The graph's knowledge of a user, read in the caller's transaction and so within its workspace. */
export interface GraphFacts {
  /** Oldest first. All categories when none is named; at most `limit`, the newest. */
  statements(
    tx: Tx,
    request: { readonly userId: string; readonly category?: string; readonly limit: number },
  ): Promise<KnownStatement[]>
  /** The most named first. */
  entities(tx: Tx, request: { readonly userId: string; readonly limit: number }): Promise<KnownEntity[]>
  countEntities(tx: Tx, userId: string): Promise<number>
  /** The strongest first: from the user to others, and those that are the same from either end. */
  relations(tx: Tx, request: { readonly userId: string; readonly limit: number }): Promise<KnownRelation[]>
  /** The categories of all statements of the user. */
  categories(tx: Tx, userId: string): Promise<string[]>
  /** Users whose facts changed before `before`, that no consumer has acknowledged since; from a workspace on, for sweeps. */
  pendingUsers(
    tx: Tx,
    request: { readonly before: Date; readonly from: string; readonly limit: number },
  ): Promise<readonly ChangedUser[]>
  /** {@link factsChangedEvent} of this time was dealt with, and what came before it. */
  acknowledge(tx: Tx, workspaceId: string, userId: string, until: Date): Promise<void>
  /** Marks the user's facts as changed now: an acknowledged change could not be processed after all. */
  noteChanged(tx: Tx, workspaceId: string, userId: string): Promise<void>
}

/** A user whose facts changed, and when they last did. */
export interface ChangedUser {
  readonly workspaceId: string
  readonly userId: string
  readonly changedAt: Date
}
export const graphFacts = definePort<GraphFacts>('graph.facts')

/** Tells what the graph knows of whom and what a text names. */
export interface NamedFacts {
  /**
   * Relationships as short sentences without a full stop, those that hold first and the strongest first of these. None where the plan has no graph. It
   * opens its own transaction, so never call it inside one.
   */
  about(
    tenant: Tenant,
    request: { readonly text: string; readonly userId: string | undefined; readonly limit: number },
  ): Promise<readonly string[]>
}
export const namedFacts = definePort<NamedFacts>('graph.named-facts')

/**
 * Published in the transaction that changes a user's facts, whether memories were read, changed or removed. It names the categories
 * whose statements came, changed or went.
 */
export const factsChangedEvent = defineEvent({
  kind: 'graph.factsChanged',
  label: 'Facts changed',
  description: 'What the graph knows of a user changed.',
  public: false,
  schema: Type.Object(
    { user_id: Type.String(), categories: Type.Array(Type.String()) },
    { additionalProperties: false },
  ),
  example: { user_id: 'ada', categories: ['work_context'] },
})
