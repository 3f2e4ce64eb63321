import type { Tx } from 'mneme/plugin'
import { announceDeleted, type RemovedMemory } from './announce.ts'
import { deleteMemories, type Removal } from './queries/remove.ts'
import type { MemoryServices } from './scope.ts'

/**
 * Deletes memories for good and everything that holds their text: history, index entries, kept answers.
 * @returns what is gone, which includes memories that deleted ones had absorbed
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
