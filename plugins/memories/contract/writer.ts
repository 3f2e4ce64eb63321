import { type AppError, definePort, type Tenant, type Tx } from 'mneme/plugin'
import type { MemoryRecord } from './record.ts'
import type { Layer, Priority, Source } from './words.ts'

/** The results of each hook's `prepare`, by the hook's id and then by memory id. */
export type PreparedWrites = ReadonlyMap<string, ReadonlyMap<string, unknown>>

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
  /** `heldBy` is the user of that memory, where it is not of the same request. */
  | { readonly duplicateOf: string; readonly heldBy?: string }
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
  /**
   * Creates the memories that do not exist yet in the caller's transaction, with history, events, index entries and jobs. A TASK memory of
   * the same user that has the text of a permanent one becomes permanent in its stead.
   */
  create(tx: Tx, tenant: Tenant, memories: PreparedMemories): Promise<CreateResult[]>
  /**
   * Notes that memories were stated again word for word, in the caller's transaction: what is drawn from them holds again since then, and they
   * count as recent.
   */
  restate(tx: Tx, tenant: Tenant, restatements: readonly Restatement[]): Promise<void>
  /**
   * Tells whether a memory's words state the same when they are said at an instant: "tomorrow" is another day on another day, so those need a
   * memory of their own.
   */
  statesSame(memory: MemoryRecord, statedAt: Date): boolean
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
