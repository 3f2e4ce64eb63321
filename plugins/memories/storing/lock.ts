import type { Tx } from 'mneme/plugin'
import { memoryFailure } from '../errors.ts'
import { findState, type MemoryState } from '../queries/read.ts'

/**
 * Locks a memory for a change until the transaction ends.
 * @throws MEMORY_NOT_FOUND
 * @throws MEMORY_EXPIRED when the memory can no longer change
 */
export async function lockForChange(tx: Tx, workspaceId: string, id: string): Promise<MemoryState> {
  const state = await findState(tx, workspaceId, id, 'locked')
  if (!state) throw memoryFailure('MEMORY_NOT_FOUND')
  if (state.expired) throw memoryFailure('MEMORY_EXPIRED')
  return state
}

/** Locks a memory for a change of its content. @throws MEMORY_CONSOLIDATED when the memory was absorbed by another */
export async function lockForContentChange(tx: Tx, workspaceId: string, id: string): Promise<MemoryState> {
  const state = await lockForChange(tx, workspaceId, id)
  if (state.consolidatedInto) {
    throw memoryFailure('MEMORY_CONSOLIDATED', {
      message: `This memory was merged into ${state.consolidatedInto}; change that one instead.`,
    })
  }
  return state
}
