import { defineExtensionPoint, type Tenant, type Tx } from 'mneme/plugin'
import type { Status } from './words.ts'

/** The fields of a visible memory that decide whether a part of it is missing. */
export interface MemoryVersion {
  readonly id: string
  readonly revision: number
  readonly status: Status
  /** The memory may have been written while a process ran without the part. */
  readonly suspect: boolean
}

/** Identifies a memory in any workspace. */
export interface MemoryKey {
  readonly workspaceId: string
  readonly memoryId: string
}

/**
 * The data that a plugin derives from every memory, such as an index entry. Its hooks and steps normally write it. Where they did not run,
 * because the plugin is new or was switched off, `memories:catch-up` backfills it and removes the data of memories deleted meanwhile. Every
 * method must be idempotent.
 */
export interface MemoryPart {
  readonly id: string
  /** Finds the memories of one workspace whose part is missing or may be stale, in a transaction of that workspace. */
  missing(tx: Tx, workspaceId: string, memories: readonly MemoryVersion[]): Promise<readonly string[]>
  /**
   * Backfills a few memories, at the lowest priority. It may skip memories that are being processed anyway, have changed, or are
   * deleted. `later` means that there is no capacity now; the same memories are passed again.
   */
  backfill(tenant: Tenant, memoryIds: readonly string[]): Promise<'done' | 'later'>
  /** Lists memories that the part has data of, ordered by workspace and id, in a transaction of the system. */
  stored(tx: Tx, after: MemoryKey | undefined, limit: number): Promise<readonly MemoryKey[]>
  /** Removes the part's data of deleted memories. */
  remove(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<void>
}
export const memoryParts = defineExtensionPoint<MemoryPart>('memories.parts', {
  members: { id: 'string', missing: 'function', backfill: 'function', stored: 'function', remove: 'function' },
})
