import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const conversationErrors = {
  CONVERSATION_NOT_FOUND: { status: 404, message: 'The workspace has no conversation with this id.' },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failConversation = failWith(conversationErrors)
