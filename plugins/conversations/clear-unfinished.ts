import type { Tx } from 'mneme/plugin'

import { plainArray } from 'mneme/plugin'
import type { ClearedScope, ClearingHook } from '../memories/contract.ts'

/** All memories of somebody are deleted: what they said before and nobody has read yet makes no new ones. */
export const clearUnfinished: ClearingHook = {
  id: 'conversations',
  cleared: removeUnfinished,
}

/**
 * Deletes the conversations of a scope that are not done with, failed or are to be read again, and what was said in them.
 * Waits for whoever is storing facts of one; a job that comes later finds nothing.
 */
export async function removeUnfinished(
  tx: Tx,
  workspaceId: string,
  { userId, agentId, sessionId }: ClearedScope,
): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    select conversation.id
    from conversations.conversation
    where conversation.workspace_id = ${workspaceId}
      and (conversation.status <> 'COMPLETED' or conversation.again_at is not null)
      ${userId === undefined ? tx`` : tx`and conversation.user_id = ${userId}`}
      ${agentId === undefined ? tx`` : tx`and conversation.agent_id = ${agentId}`}
      ${sessionId === undefined ? tx`` : tx`and conversation.session_id = ${sessionId}`}
    order by conversation.id
    for update`
  if (rows.length === 0) return
  const ids = tx`${plainArray(rows.map(row => row.id))}::uuid[]`
  // In the order in which a deleted memory is forgotten, so that neither waits for the other in a circle.
  await tx`
    delete from conversations.result
    where result.workspace_id = ${workspaceId}
      and result.conversation_id = any(${ids})`
  await tx`
    delete from conversations.message
    where message.workspace_id = ${workspaceId}
      and message.conversation_id = any(${ids})`
  await tx`
    delete from conversations.conversation
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = any(${ids})`
}
