import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type ErrorDetail, parseInstant, type RouteCheck } from 'mneme/plugin'
import type { NewConversation } from './conversation.ts'
import {
  CHARACTERS_MAX,
  CONTENT_MAX,
  type ConversationBody,
  type ConversationQuery,
  METADATA_BYTES_MAX,
  REHEARSAL_MAX,
  SPOKEN,
} from './schemas.ts'

/** Rules on a conversation that its schema cannot express. */
export const conversationChecks: readonly RouteCheck<unknown, ConversationQuery, ConversationBody>[] = [
  { fields: ['messages'], faults: ({ body }) => lengthFaults(body.messages.map(({ content }) => spokenIn(content))) },
  { fields: ['metadata'], faults: ({ body }) => metadataFaults(body) },
  { fields: ['dry_run', 'messages'], faults: ({ query, body }) => (query.dry_run ? rehearsalFaults(body) : []) },
]

/** Reads a body that has passed the checks. */
export function readConversation(body: ConversationBody): NewConversation {
  const messages = body.messages.map(({ role, content, created_at }) => ({
    role,
    content: spokenIn(content),
    saidAt: created_at ? (parseInstant(created_at) ?? null) : null,
  }))
  return {
    userId: body.user_id ?? 'default',
    agentId: body.agent_id ?? null,
    sessionId: body.session_id ?? null,
    priority: body.priority ?? 'MEDIUM',
    categories: [...new Set((body.categories ?? []).map(category => category.trim()))],
    metadata: body.metadata ?? null,
    instructions: body.instructions ?? null,
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
  const { userId, agentId, sessionId, priority, categories, metadata, instructions, messages } = conversation
  const said = messages.map(({ role, content, saidAt }) => [role, content, saidAt?.getTime() ?? null])
  return createHash('sha256')
    .update(
      JSON.stringify([
        userId,
        agentId,
        sessionId,
        priority,
        categories,
        metadata,
        said,
        ...(instructions === null ? [] : [instructions]),
      ]),
    )
    .digest()
}

function lengthFaults(texts: readonly string[]): ErrorDetail[] {
  const long = texts.flatMap((text, n) => (isLonger([text], CONTENT_MAX) ? [n] : []))
  if (long.length > 0)
    return long.map(n => ({
      path: `messages.${n}.content`,
      message: `must have at most ${CONTENT_MAX} characters in all its parts`,
    }))
  if (!isLonger(texts, CHARACTERS_MAX)) return []
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

/** A dry run is read while its caller waits. */
function rehearsalFaults({ messages }: ConversationBody): ErrorDetail[] {
  const isShort = messages.length <= REHEARSAL_MAX.messages
  if (
    isShort &&
    !isLonger(
      messages.map(({ content }) => spokenIn(content)),
      REHEARSAL_MAX.characters,
    )
  )
    return []
  const message = `must be at most ${REHEARSAL_MAX.messages} with ${REHEARSAL_MAX.characters} characters in all for a dry run`
  return [{ path: 'messages', message }]
}

function metadataFaults({ metadata }: ConversationBody): ErrorDetail[] {
  if (!metadata || Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_BYTES_MAX) return []
  return [{ path: 'metadata', message: `must have at most ${METADATA_BYTES_MAX} bytes of JSON` }]
}
