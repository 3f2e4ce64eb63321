import { plainArray, type Tx } from 'mneme/plugin'

/**
 * Forgets memories that were deleted: what was said in their turns, should it still be here, and the conversations of which
 * no memory is left, so that handing them in again makes them anew.
 */
export async function forgetMemories(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<void> {
  const rows = await tx<{ conversation_id: string; turn: number }[]>`
    delete from conversations.result
    where result.workspace_id = ${workspaceId}
      and result.memory_id = any(${plainArray(memoryIds)}::uuid[])
    returning result.conversation_id, result.turn`
  if (rows.length === 0) return
  await tx`
    delete from conversations.message
    using unnest(
      ${plainArray(rows.map(row => row.conversation_id))}::uuid[],
      ${plainArray(rows.map(row => row.turn))}::integer[]
    ) as forgotten (conversation_id, turn)
    where message.workspace_id = ${workspaceId}
      and message.conversation_id = forgotten.conversation_id
      and message.turn = forgotten.turn`
  const gone = await tx<{ id: string }[]>`
    delete from conversations.conversation
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = any(${plainArray(rows.map(row => row.conversation_id))}::uuid[])
      and conversation.status in ('COMPLETED', 'FAILED')
      and not exists (
        select 1
        from conversations.result
        where result.workspace_id = conversation.workspace_id
          and result.conversation_id = conversation.id
      )
    returning conversation.id`
  await tx`
    delete from conversations.message
    where message.workspace_id = ${workspaceId}
      and message.conversation_id = any(${plainArray(gone.map(({ id }) => id))}::uuid[])`
}
