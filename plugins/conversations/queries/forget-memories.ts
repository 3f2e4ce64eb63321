import { plainArray, type Tx } from 'mneme/plugin'

/**
 * Forgets memories that were deleted: what was said in their turns, should it still be here, and the conversations of which
 * no memory is left, so that handing them in again makes them anew. No conversation of theirs is read again: another of its turns may
 * say the same.
 */
export async function forgetMemories(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<void> {
  const memories = tx`${plainArray(memoryIds)}::uuid[]`
  // Before their results, as whoever stores facts locks them, so that neither waits for the other in a circle.
  await tx`
    select conversation.id
    from conversations.conversation
    where conversation.workspace_id = ${workspaceId}
      and conversation.id in (
        select result.conversation_id
        from conversations.result
        where result.workspace_id = ${workspaceId}
          and result.memory_id = any(${memories})
      )
    order by conversation.id
    for update`
  const rows = await tx<{ conversation_id: string; turn: number }[]>`
    delete from conversations.result
    where result.workspace_id = ${workspaceId}
      and result.memory_id = any(${memories})
    returning result.conversation_id, result.turn`
  if (rows.length === 0) return
  const ids = [...new Set(rows.map(row => row.conversation_id))]
  const over = [...(await endReadingAgain(tx, workspaceId, ids)), ...(await deleteEmpty(tx, workspaceId, ids))]
  await tx`
    delete from conversations.message
    where message.workspace_id = ${workspaceId}
      and message.conversation_id = any(${plainArray(over)}::uuid[])`
  await tx`
    delete from conversations.message
    using unnest(
      ${plainArray(rows.map(row => row.conversation_id))}::uuid[],
      ${plainArray(rows.map(row => row.turn))}::integer[]
    ) as forgotten (conversation_id, turn)
    where message.workspace_id = ${workspaceId}
      and message.conversation_id = forgotten.conversation_id
      and message.turn = forgotten.turn`
}

/** Ends or calls off another reading; a job that is in the middle of one stores nothing. @returns those that are done with, whose messages are to go */
async function endReadingAgain(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string; status: string }[]>`
    update conversations.conversation
    set status = case when conversation.again_end is null then conversation.status else 'COMPLETED' end,
      characters = case
        when conversation.again_end is not null or conversation.status = 'COMPLETED' then 0
        else conversation.characters
      end,
      again_end = null, provisional_turn = null, provisional_end = null, again_at = null
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = any(${plainArray(ids)}::uuid[])
      and (conversation.again_end is not null or conversation.provisional_turn is not null)
    returning conversation.id, conversation.status`
  return rows.flatMap(({ id, status }) => (status === 'COMPLETED' ? [id] : []))
}

/** Deletes those that are done with and have no memory left. */
async function deleteEmpty(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    delete from conversations.conversation
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = any(${plainArray(ids)}::uuid[])
      and conversation.status in ('COMPLETED', 'FAILED')
      and not exists (
        select 1
        from conversations.result
        where result.workspace_id = conversation.workspace_id
          and result.conversation_id = conversation.id
      )
    returning conversation.id`
  return rows.map(({ id }) => id)
}
