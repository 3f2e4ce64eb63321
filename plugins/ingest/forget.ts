import { forgetResponses, type Tx } from 'mneme/plugin'
import { type ClearedScope, type ClearingHook, forgetsDeletedMemories } from '../memories/contract.ts'
import { forgetMemories } from './queries/chunks.ts'
import { deleteJobsOf } from './queries/jobs.ts'
import type { IngestScope } from './scope.ts'

/** Memories that are deleted leave their documents. */
export const forgetDeleted = forgetsDeletedMemories<IngestScope>(({ workspaceId, transaction }, ids) =>
  transaction(tx => forgetMemories(tx, workspaceId, ids)),
)

/** All memories of somebody are deleted: their documents go with them, those that are still being read too. */
export const clearJobs: ClearingHook = {
  id: 'ingest',
  async cleared(tx: Tx, workspaceId: string, { userId, agentId, sessionId }: ClearedScope) {
    // Documents are no agent's, and each is a session of its own.
    if (agentId !== undefined) return
    await forgetResponses(tx, workspaceId, await deleteJobsOf(tx, workspaceId, { userId, documentId: sessionId }))
  },
}
