import { type NamedRow, routesOf } from 'mneme/plugin'
import { failConversation } from './errors.ts'
import type { ConversationsScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<ConversationsScope>()

export const READ = { permission: 'memory.read' } as const
export const WRITE = { permission: 'memory.write' } as const

/** A conversation that a request names by its id, as keys that are bound to a user are held to their own. */
export const conversationRow: NamedRow = {
  table: 'conversations.conversation',
  hasAgent: true,
  missing: () => failConversation('CONVERSATION_NOT_FOUND'),
}
