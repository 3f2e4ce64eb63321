import type { Tx } from 'mneme/plugin'
import { deleteMemories, type Removal } from '../queries/remove.ts'
import type { MemoryServices } from '../scope.ts'
import { announceDeleted, type RemovedMemory } from '../storing/announce.ts'

/**
 * Deletes memories permanently, with everything that contains their text: history, index entries, stored idempotent responses.
 * @returns the deleted memories, including those that deleted survivors had absorbed
 */
export async function removeMemories(
  tx: Tx,
  services: Pick<MemoryServices, 'wiring' | 'events' | 'jobs'>,
  workspaceId: string,
  removal: Removal,
): Promise<readonly RemovedMemory[]> {
  const removed = await deleteMemories(tx, workspaceId, removal)
  if (removed.length > 0) await announceDeleted(tx, services, workspaceId, removed)
  return removed
}
