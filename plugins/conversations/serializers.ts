import type { Conversation, Result } from './conversation.ts'

/** Serializes a conversation for both endpoints. */
export function toConversation(conversation: Conversation, results: readonly Result[]) {
  const { status } = conversation
  const isOver = status === 'COMPLETED' || status === 'FAILED'
  const created = results.filter(result => result.created).length
  return {
    id: conversation.id,
    status,
    memories: isOver ? results.map(({ memoryId }) => memoryId) : null,
    memories_created: created,
    memories_known: results.length - created,
    user_id: conversation.userId,
    agent_id: conversation.agentId,
    session_id: conversation.sessionId,
    messages: conversation.messages,
    extracted_by: conversation.extractedBy,
    error: conversation.error,
    created_at: conversation.createdAt.toISOString(),
    updated_at: conversation.updatedAt.toISOString(),
  }
}
