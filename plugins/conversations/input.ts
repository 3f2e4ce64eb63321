import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type ErrorDetail, parseInstant, validationError } from 'mneme/plugin'
import type { NewConversation } from './conversation.ts'
import { CHARACTERS_MAX, type ConversationBody, METADATA_BYTES_MAX } from './schemas.ts'

/** Reads a valid body; throws with every fault that its schema alone cannot see. */
export function readConversation(body: ConversationBody): NewConversation {
  const faults = [...lengthFaults(body), ...metadataFaults(body)]
  if (faults.length > 0) throw validationError(faults)
  return {
    userId: body.user_id ?? 'default',
    agentId: body.agent_id ?? null,
    sessionId: body.session_id ?? null,
    priority: body.priority ?? 'MEDIUM',
    categories: [...new Set((body.categories ?? []).map(category => category.trim()))],
    metadata: body.metadata ?? null,
    messages: body.messages.map(({ role, content, created_at }) => ({
      role,
      content,
      saidAt: created_at ? (parseInstant(created_at) ?? null) : null,
    })),
  }
}

/** Equal for the same words by the same people in the same place, with the same to be noted on their memories. */
export function hashOf(conversation: NewConversation): Uint8Array {
  const { userId, agentId, sessionId, priority, categories, metadata, messages } = conversation
  const said = messages.map(({ role, content, saidAt }) => [role, content, saidAt?.getTime() ?? null])
  return createHash('sha256')
    .update(JSON.stringify([userId, agentId, sessionId, priority, categories, metadata, said]))
    .digest()
}

function lengthFaults({ messages }: ConversationBody): ErrorDetail[] {
  const units = messages.reduce((sum, { content }) => sum + content.length, 0)
  // A character is one or two units, so most bodies need no counting.
  if (units <= CHARACTERS_MAX || messages.reduce((sum, { content }) => sum + countOf(content), 0) <= CHARACTERS_MAX)
    return []
  return [{ path: 'messages', message: `must have at most ${CHARACTERS_MAX} characters in all` }]
}

function countOf(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function metadataFaults({ metadata }: ConversationBody): ErrorDetail[] {
  if (!metadata || Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_BYTES_MAX) return []
  return [{ path: 'metadata', message: `must have at most ${METADATA_BYTES_MAX} bytes of JSON` }]
}
