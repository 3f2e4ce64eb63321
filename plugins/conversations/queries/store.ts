import { Buffer } from 'node:buffer'
import { insertRows, type Tx, textArray } from 'mneme/plugin'
import { type Conversation, isKept, type NewConversation, type Result } from '../conversation.ts'
import { charactersOf, type Kept } from '../limits.ts'
import { type ConversationRow, conversationColumns, toConversation } from './rows.ts'

/**
 * Stores a new conversation, without its messages.
 * @returns undefined when the workspace has one with this hash; whoever stores that one is waited for
 */
export async function insertConversation(
  tx: Tx,
  workspaceId: string,
  id: string,
  hash: Uint8Array,
  conversation: NewConversation,
): Promise<Conversation | undefined> {
  const { userId, agentId, sessionId, priority, categories, metadata, instructions, messages } = conversation
  const json = metadata === null ? null : JSON.stringify(metadata)
  const [row] = await tx<ConversationRow[]>`
    with changed as (
      insert into conversations.conversation (
        workspace_id, id, user_id, agent_id, session_id, priority, categories, metadata, content_hash, instructions, messages,
        characters, status, progress_at, created_at, updated_at
      )
      values (
        ${workspaceId}, ${id}, ${userId}, ${agentId}, ${sessionId}, ${priority}, ${textArray(categories)}::text[],
        ${json}::text::jsonb, ${Buffer.from(hash)}, ${instructions}, ${messages.length}, ${charactersOf(conversation)},
        'PENDING', now(), now(), now()
      )
      on conflict on constraint conversation_content_unique do nothing
      returning conversation.*
    )
    select ${conversationColumns(tx)} from changed as conversation`
  return row && toConversation(row)
}

/** Conversations that are COMPLETED are known by their messages for as long as responses are kept for an `Idempotency-Key`. */
const KNOWN_HOURS = 24

/**
 * Takes the hash from a conversation that was COMPLETED long ago: the same messages are said once more, by somebody to whom they are
 * true again. @returns whether there was one
 */
export async function releaseHash(tx: Tx, workspaceId: string, hash: Uint8Array): Promise<boolean> {
  const rows = await tx`
    update conversations.conversation
    set content_hash = null
    where conversation.workspace_id = ${workspaceId}
      and conversation.content_hash = ${Buffer.from(hash)}
      and conversation.status = 'COMPLETED'
      and conversation.updated_at < now() - make_interval(hours => ${KNOWN_HOURS})
    returning conversation.id`
  return rows.length > 0
}

/** The conversation with a hash, locked until the transaction ends. */
export async function lockByHash(tx: Tx, workspaceId: string, hash: Uint8Array): Promise<Conversation | undefined> {
  const [row] = await tx<ConversationRow[]>`
    select ${conversationColumns(tx)}
    from conversations.conversation
    where conversation.workspace_id = ${workspaceId}
      and conversation.content_hash = ${Buffer.from(hash)}
    for update`
  return row && toConversation(row)
}

/** Lets one that failed begin anew, with messages that are handed in again; the memories it has stay its own. */
export async function restart(
  tx: Tx,
  workspaceId: string,
  id: string,
  conversation: NewConversation,
): Promise<Conversation | undefined> {
  await tx`
    delete from conversations.message
    where message.workspace_id = ${workspaceId}
      and message.conversation_id = ${id}`
  const [row] = await tx<ConversationRow[]>`
    with changed as (
      update conversations.conversation
      set status = 'PENDING', next_turn = 0, provisional_turn = null, provisional_end = null, error = null,
        characters = ${charactersOf(conversation)}, progress_at = now(), waiting_since = now(), updated_at = now()
      where conversation.workspace_id = ${workspaceId}
        and conversation.id = ${id}
      returning conversation.*
    )
    select ${conversationColumns(tx)} from changed as conversation`
  return row && toConversation(row)
}

/** Stores what the user and the assistant said; nothing is ever drawn from the words of the system or of tools. */
export async function insertMessages(
  tx: Tx,
  workspaceId: string,
  { id, createdAt }: Conversation,
  messages: NewConversation['messages'],
): Promise<void> {
  const rows = messages.flatMap((message, turn) =>
    isKept(message)
      ? [{ turn, role: message.role, content: message.content, saidAt: message.saidAt ?? createdAt }]
      : [],
  )
  await insertRows(
    tx,
    rows,
    ({ turn, role, content, saidAt }) =>
      tx`(${workspaceId}, ${id}, ${turn}, ${role}, ${content}, ${saidAt.toISOString()})`,
    values => tx`
      insert into conversations.message (workspace_id, conversation_id, turn, role, content, said_at)
      values ${values}`,
  )
}

export async function findConversation(tx: Tx, workspaceId: string, id: string): Promise<Conversation | undefined> {
  const [row] = await tx<ConversationRow[]>`
    select ${conversationColumns(tx)}
    from conversations.conversation
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = ${id}`
  return row && toConversation(row)
}

/** The memories of a conversation, in the order in which their facts were said. */
export async function findResults(tx: Tx, workspaceId: string, id: string): Promise<Result[]> {
  const rows = await tx<{ memory_id: string; created: boolean }[]>`
    select result.memory_id, result.created
    from conversations.result
    where result.workspace_id = ${workspaceId}
      and result.conversation_id = ${id}
    order by result.turn, result.ordinal, result.memory_id`
  return rows.map(row => ({ memoryId: row.memory_id, created: row.created }))
}

/** Messages of those that failed, or are to be read again, are kept for as long. */
const KEPT_DAYS = 7

/** Counts the conversations whose messages are kept. */
export async function countKept(tx: Tx, workspaceId: string): Promise<Kept> {
  const [row] = await tx<Kept[]>`
    select count(*) as conversations, coalesce(sum(conversation.characters), 0)::bigint as characters
    from conversations.conversation
    where conversation.workspace_id = ${workspaceId}
      and conversation.characters > 0
      and (
        conversation.status in ('PENDING', 'PROCESSING')
        or conversation.updated_at > now() - make_interval(days => ${KEPT_DAYS})
      )`
  return row ?? { conversations: 0, characters: 0 }
}
