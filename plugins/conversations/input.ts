import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type ErrorDetail, parseInstant, validationError } from 'mneme/plugin'
import type { Message, NewConversation } from './conversation.ts'
import { CHARACTERS_MAX, CONTENT_MAX, type ConversationBody, METADATA_BYTES_MAX, SPOKEN } from './schemas.ts'

/** Reads a valid body; throws with every fault that its schema alone cannot see. */
export function readConversation(body: ConversationBody): NewConversation {
  const messages = body.messages.map(({ role, content, created_at }) => ({
    role,
    content: spokenIn(content),
    saidAt: created_at ? (parseInstant(created_at) ?? null) : null,
  }))
  const faults = [...lengthFaults(messages), ...metadataFaults(body)]
  if (faults.length > 0) throw validationError(faults)
  return {
    userId: body.user_id ?? 'default',
    agentId: body.agent_id ?? null,
    sessionId: body.session_id ?? null,
    priority: body.priority ?? 'MEDIUM',
    categories: [...new Set((body.categories ?? []).map(category => category.trim()))],
    metadata: body.metadata ?? null,
    messages,
  }
}

/** Reads what is said in a message; empty where nothing is. */
function spokenIn(content: ConversationBody['messages'][number]['content']): string {
  if (content === null) return ''
  if (typeof content === 'string') return content
  const said = content.filter(({ type }) => SPOKEN.includes(type)).map(({ text }) => text ?? '')
  return said.filter(text => text.trim() !== '').join('\n\n')
}

/** Equal for the same words by the same people in the same place, with the same to be noted on their memories. */
export function hashOf(conversation: NewConversation): Uint8Array {
  const { userId, agentId, sessionId, priority, categories, metadata, messages } = conversation
  const said = messages.map(({ role, content, saidAt }) => [role, content, saidAt?.getTime() ?? null])
  return createHash('sha256')
    .update(JSON.stringify([userId, agentId, sessionId, priority, categories, metadata, said]))
    .digest()
}

function lengthFaults(messages: readonly Message[]): ErrorDetail[] {
  const long = messages.flatMap(({ content }, n) => (isLonger([content], CONTENT_MAX) ? [n] : []))
  if (long.length > 0)
    return long.map(n => ({
      path: `messages.${n}.content`,
      message: `must have at most ${CONTENT_MAX} characters in all its parts`,
    }))
  const all = messages.map(({ content }) => content)
  if (!isLonger(all, CHARACTERS_MAX)) return []
  return [{ path: 'messages', message: `must have at most ${CHARACTERS_MAX} characters in all` }]
}

/** A character is one or two units, so most texts need no counting. */
function isLonger(texts: readonly string[], max: number): boolean {
  const units = texts.reduce((sum, text) => sum + text.length, 0)
  return units > max && texts.reduce((sum, text) => sum + countOf(text), 0) > max
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
