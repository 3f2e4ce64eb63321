import type { ArchivedMemory, ClearedScope, ClearingHook } from '../memories/contract.ts'
import { failUnfinished, noteCleared } from './queries/clear-imports.ts'

/** All memories of somebody are deleted: files that are still being read bring none of them back. */
export const clearImports: ClearingHook = {
  id: 'exports',
  async cleared(tx, workspaceId, scope) {
    const isPart = Object.values(scope).some(value => value !== undefined)
    if (isPart) return noteCleared(tx, workspaceId, scope)
    await failUnfinished(tx, workspaceId, 'All memories of the workspace were deleted while the import was under way.')
  },
}

export function isCleared(
  { user_id, agent_id, session_id }: Pick<ArchivedMemory, 'user_id' | 'agent_id' | 'session_id'>,
  scopes: readonly ClearedScope[],
): boolean {
  return scopes.some(
    ({ userId, agentId, sessionId }) =>
      (userId === undefined || userId === user_id) &&
      (agentId === undefined || agentId === agent_id) &&
      (sessionId === undefined || sessionId === session_id),
  )
}
