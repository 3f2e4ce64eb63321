import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const conversationErrors = {
  CONVERSATION_NOT_FOUND: { status: 404, message: 'The workspace has no conversation with this id.' },
  CONVERSATION_NOT_KEPT: {
    status: 410,
    message: 'What was said in this conversation is no longer kept; submit its messages again.',
  },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failConversation = failWith(conversationErrors)
