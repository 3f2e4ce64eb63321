import type { Priority, Status } from '../memories/contract.ts'

/** The roles that a submitted conversation may contain; all but the first two are ignored. */
export const ROLES = ['user', 'assistant', 'system', 'tool', 'developer', 'function'] as const
export type Role = (typeof ROLES)[number]

/** A message as it was handed in. */
export interface Message {
  readonly role: Role
  /** Empty where nothing is said, as beside calls of tools. */
  readonly content: string
  /** When it was said; null where the caller does not say. */
  readonly saidAt: Date | null
}

/** Tells whether a message is kept to be read: what the system and tools say is not, nor one without words. */
export function isKept(message: Message): message is Message & Pick<Turn, 'role'> {
  return (message.role === 'user' || message.role === 'assistant') && message.content !== ''
}

export interface NewConversation {
  readonly userId: string
  readonly agentId: string | null
  readonly sessionId: string | null
  readonly priority: Priority
  readonly categories: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** The caller's own words on what to keep, for a language model. */
  readonly instructions: string | null
  readonly messages: readonly Message[]
}

/** A conversation as it stands. */
export interface Conversation {
  readonly id: string
  readonly userId: string
  readonly agentId: string | null
  readonly sessionId: string | null
  readonly priority: Priority
  readonly categories: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** The caller's own words on what to keep; null again once it has been read. */
  readonly instructions: string | null
  /** The number of messages submitted. */
  readonly messages: number
  /** COMPLETED also while it is read again. */
  readonly status: Status
  /** The second reading, by the model that was away before, ends before this turn; null during the first. */
  readonly againEnd: number | null
  readonly nextTurn: number
  /** Facts of the turns from `nextTurn` on whose memories the reading under way has stored. */
  readonly keptFacts: number
  readonly extractedBy: readonly string[]
  readonly error: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A memory of a conversation. */
export interface Result {
  readonly memoryId: string
  /** False of a memory that said the same before. */
  readonly created: boolean
}

/** One turn of the talk, as it is read. */
export interface Turn {
  /** Its place among the messages sent, from 0. */
  readonly turn: number
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly saidAt: Date
}

/** The turns that are read at once. */
export interface Window {
  readonly turns: readonly Turn[]
  /** The preceding turns, given for context only; no facts are extracted from them. */
  readonly before: readonly Turn[]
  readonly userId: string
  /** The workspace's own words on what to keep, and the caller's. */
  readonly instructions?: { readonly workspace: string | null; readonly caller: string | null }
}

/** Something worth keeping, and the turn that says it. */
export interface Fact {
  readonly turn: number
  readonly text: string
  /** It is of the assistant's turn, and says nothing about the user. */
  readonly saidBy?: 'assistant'
}

/** The result of reading a window. */
export interface Reading {
  /** By turn; no two of a turn have the same text. */
  readonly facts: readonly Fact[]
  /** The extractors that read it: `local`, a model's id, or both. */
  readonly extractedBy: readonly string[]
  /** The language model was away: worth another reading when it is back. */
  readonly isProvisional: boolean
}
