import { plainArray, type Quarantine, type Tx } from 'mneme/plugin'
import type { Found } from './progress.ts'

/** Finds conversations of any workspace whose time to be read again has come, in a transaction of the system. */
export async function findToReadAgain(tx: Tx, quarantine: Quarantine, sweep: string, limit: number): Promise<Found[]> {
  const rows = await tx<{ workspace_id: string; id: string }[]>`
    -- across workspaces: finds conversations that were read while the language model was away
    select conversation.workspace_id, conversation.id
    from conversations.conversation
    where conversation.again_at <= now()
      and ${quarantine.admits(tx, sweep, 'conversation.workspace_id', 'conversation.id')}
    order by conversation.again_at
    limit ${limit}`
  return rows.map(row => ({ workspaceId: row.workspace_id, id: row.id }))
}

/** Begins to read some conversations again, from the first turn to the last that was read without the model; without messages there is nothing to do. */
export async function beginAgain(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly nextTurn: number }[]> {
  const rows = await tx<{ id: string; next_turn: number; has_messages: boolean }[]>`
    update conversations.conversation
    set
      next_turn = conversation.provisional_turn,
      status = case when kept.has_messages then 'PROCESSING' else conversation.status end,
      again_end = case when kept.has_messages then conversation.provisional_end end,
      provisional_turn = null, provisional_end = null, again_at = null, progress_at = now()
    from unnest(${plainArray(ids)}::uuid[]) as given (id)
    cross join lateral (
      select exists (
        select
        from conversations.message
        where message.workspace_id = ${workspaceId}
          and message.conversation_id = given.id
      ) as has_messages
    ) as kept
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = given.id
      and conversation.status = 'COMPLETED'
      and conversation.again_at <= now()
    returning conversation.id, conversation.next_turn, kept.has_messages`
  return rows.flatMap(row => (row.has_messages ? [{ id: row.id, nextTurn: row.next_turn }] : []))
}

/** Finds the memories that some turns of a conversation led to, each with its revision at that time. */
export async function memoriesOfTurns(
  tx: Tx,
  workspaceId: string,
  id: string,
  turns: readonly number[],
): Promise<{ readonly turn: number; readonly memoryId: string; readonly revision: number }[]> {
  const rows = await tx<{ turn: number; memory_id: string; revision: number }[]>`
    select result.turn, result.memory_id, result.revision
    from conversations.result
    where result.workspace_id = ${workspaceId}
      and result.conversation_id = ${id}
      and result.turn = any(${plainArray(turns)}::integer[])`
  return rows.map(row => ({ turn: row.turn, memoryId: row.memory_id, revision: row.revision }))
}
