import type { Tx } from 'mneme/plugin'
import type { Priority, Status } from '../../memories/contract.ts'
import type { Conversation } from '../conversation.ts'

export interface ConversationRow {
  id: string
  user_id: string
  agent_id: string | null
  session_id: string | null
  priority: Priority
  categories: string[]
  metadata: Record<string, unknown> | null
  instructions: string | null
  messages: number
  status: Status
  again_end: number | null
  next_turn: number
  kept_facts: number
  extracted_by: string[]
  error: string | null
  created_at: Date
  updated_at: Date
}

// Arrays go out as JSON, which the driver parses; it knows no array types.
const COLUMNS = `
  conversation.id, conversation.user_id, conversation.agent_id, conversation.session_id, conversation.priority,
  to_json(conversation.categories) as categories, conversation.metadata, conversation.instructions, conversation.messages, conversation.status,
  conversation.again_end, conversation.next_turn, conversation.kept_facts, to_json(conversation.extracted_by) as extracted_by, conversation.error,
  conversation.created_at, conversation.updated_at`

/** The columns of a conversation, as a fragment of a select list or a returning clause. */
export function conversationColumns(tx: Tx) {
  return tx.unsafe(COLUMNS)
}

export function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    userId: row.user_id,
    agentId: row.agent_id,
    sessionId: row.session_id,
    priority: row.priority,
    categories: row.categories,
    metadata: row.metadata,
    instructions: row.instructions,
    messages: row.messages,
    status: row.again_end === null ? row.status : 'COMPLETED',
    againEnd: row.again_end,
    nextTurn: row.next_turn,
    keptFacts: row.kept_facts,
    extractedBy: row.extracted_by,
    error: row.error,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
