import { defineExtensionPoint, type Tenant, type Tx } from 'mneme/plugin'
import type { Status } from './words.ts'

/** A visible memory, no more of it than decides whether a part of it is missing. */
export interface MemoryVersion {
  readonly id: string
  readonly revision: number
  readonly status: Status
  /** It may have been written while a process ran without the part. */
  readonly suspect: boolean
}

/** A memory of any workspace. */
export interface MemoryKey {
  readonly workspaceId: string
  readonly memoryId: string
}

/**
 * What a plugin makes of every memory, beside its hooks and steps. Where these did not run, because the plugin was switched off or is
 * new, `memories:catch-up` has it made in the background, and has dropped what is left of memories that went meanwhile.
 * Everything here must bear repetition.
 */
export interface MemoryPart {
  readonly id: string
  /** Those of one workspace that lack it, or may have an outdated one; in the transaction of that workspace. */
  lacking(tx: Tx, workspaceId: string, memories: readonly MemoryVersion[]): Promise<readonly string[]>
  /**
   * Makes it for a few memories, behind everything that users wait for. Those that are processed anyway, have changed or went may be
   * left out. `later` when there is no room now: the same memories come again.
   */
  make(tenant: Tenant, memoryIds: readonly string[]): Promise<'made' | 'later'>
  /** The next memories, in the order of workspace and id, of which it has anything; for the system's transactions. */
  held(tx: Tx, after: MemoryKey | undefined, limit: number): Promise<readonly MemoryKey[]>
  /** Takes back what it has of memories that are gone. */
  drop(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<void>
}
export const memoryParts = defineExtensionPoint<MemoryPart>('memories.parts', {
  members: { id: 'string', lacking: 'function', make: 'function', held: 'function', drop: 'function' },
})
