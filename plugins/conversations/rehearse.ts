import type { Tenant } from 'mneme/plugin'
import { v7 } from 'uuid'
import type { MemoryRecord } from '../memories/contract.ts'
import { type Conversation, type Fact, isKept, type NewConversation, type Turn } from './conversation.ts'
import { BEFORE, readWindow, WINDOW, type WindowToRead } from './extraction/read-window.ts'
import { rehearseFacts } from './keep-facts.ts'
import type { ConversationsScope } from './scope.ts'
import { conversationInstructions } from './settings.ts'

/** The caller waits, so a model is put no further part after this time; what is left is read without it. */
const ASKING_MS = 60_000

/** Reads a conversation as its job would, and says what would be stored. Nothing is. */
export async function rehearse(scope: ConversationsScope, tenant: Tenant, given: NewConversation, signal: AbortSignal) {
  const conversation = unstored(given)
  const turns = given.messages.flatMap((message, turn): Turn[] => {
    if (!isKept(message)) return []
    return [{ turn, role: message.role, text: message.content, saidAt: message.saidAt ?? conversation.createdAt }]
  })
  const instructions = { workspace: conversationInstructions.of(tenant.workspace), caller: given.instructions }
  const until = performance.now() + ASKING_MS
  const facts: Fact[] = []
  const readers = new Set<string>()
  for (let at = 0; at < turns.length; ) {
    const part = partFrom(turns, at)
    const before = turns.slice(Math.max(0, at - BEFORE.turnsMax), at)
    at += part.length
    const window: WindowToRead = {
      turns: part,
      before: before.map(turn => ({ ...turn, text: turn.text.slice(-BEFORE.charactersEach).toWellFormed() })),
      userId: given.userId,
      instructions,
      modelWaitMs: 0,
      askingMs: Math.max(0, until - performance.now()),
    }
    const reading = await readWindow(scope, tenant.workspaceId, window, signal)
    if ('waitMs' in reading) throw new Error('a reading that may not wait has waited')
    facts.push(...reading.facts)
    for (const reader of reading.extractedBy) readers.add(reader)
  }
  const memories = await rehearseFacts(scope, tenant, { conversation, turns, facts })
  return { memories: memories.map(toRehearsed), extracted_by: [...readers].toSorted() }
}

/** The turns that a job would read at once, of those from a place on. */
function partFrom(turns: readonly Turn[], at: number): readonly Turn[] {
  let characters = 0
  const some = turns.slice(at, at + WINDOW.turnsMax)
  const end = some.findIndex(({ text }) => {
    const isFull = characters >= WINDOW.charactersMax
    characters += text.length
    return isFull
  })
  return end === -1 ? some : some.slice(0, end)
}

/** The conversation as it would stand before its first turn is read. */
function unstored({ messages, ...given }: NewConversation): Conversation {
  const now = new Date()
  return {
    ...given,
    id: v7(),
    messages: messages.length,
    status: 'PROCESSING',
    againEnd: null,
    nextTurn: 0,
    keptFacts: 0,
    extractedBy: [],
    error: null,
    createdAt: now,
    updatedAt: now,
  }
}

function toRehearsed({ text, userId, agentId, sessionId, priority, categories, metadata, source }: MemoryRecord) {
  const { conversation_id: _, ...shown } = metadata ?? {}
  return {
    memory: text,
    user_id: userId,
    agent_id: agentId,
    session_id: sessionId,
    priority,
    categories,
    metadata: shown,
    source,
  }
}
