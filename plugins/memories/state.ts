import type { Tx } from 'mneme/plugin'
import { memoryFailure } from './errors.ts'
import { findState, type MemoryState } from './queries/read.ts'

/**
 * Locks a memory that is about to change until the transaction ends.
 * Throws MEMORY_NOT_FOUND, or MEMORY_EXPIRED when it can no longer change.
 */
export async function lockForChange(tx: Tx, workspaceId: string, id: string): Promise<MemoryState> {
  const state = await findState(tx, workspaceId, id, 'locked')
  if (!state) throw memoryFailure('MEMORY_NOT_FOUND')
  if (state.expired) throw memoryFailure('MEMORY_EXPIRED')
  return state
}

/** The same for a change of content: throws MEMORY_CONSOLIDATED when the memory lives on in another. */
export async function lockForContentChange(tx: Tx, workspaceId: string, id: string): Promise<MemoryState> {
  const state = await lockForChange(tx, workspaceId, id)
  if (state.consolidatedInto) {
    throw memoryFailure('MEMORY_CONSOLIDATED', {
      message: `This memory was merged into ${state.consolidatedInto}; change that one instead.`,
    })
  }
  return state
}
