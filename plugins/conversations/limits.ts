import { fail } from 'mneme/plugin'
import { isKept, type NewConversation } from './conversation.ts'

/**
 * Bound what the conversations of a workspace that are kept to be read take of the database's disk. Requests at once may each see room for one
 * more, so these are exceeded by as many as run at once at the most.
 */
export const KEPT_MAX = 10_000
export const CHARACTERS_KEPT_MAX = 100_000_000

/** A conversation, and each of its messages, takes as much as some characters beside the text. */
const ROW_CHARACTERS = 100

const RETRY_AFTER_SECONDS = 30

/** The conversations of a workspace whose messages are kept. */
export interface Kept {
  readonly conversations: number
  readonly characters: number
}

/** Counts what is kept of a conversation. Never 0, as one without anything to read waits, too. */
export function charactersOf({ messages }: Pick<NewConversation, 'messages'>): number {
  return messages.filter(isKept).reduce((sum, { content }) => sum + content.length + ROW_CHARACTERS, ROW_CHARACTERS)
}

/** @throws RATE_LIMITED where a workspace has too much to be read, the conversation at hand included */
export function requireRoom({ conversations, characters }: Kept): void {
  if (conversations <= KEPT_MAX && characters <= CHARACTERS_KEPT_MAX) return
  throw fail('RATE_LIMITED', {
    message: `A workspace has at most ${KEPT_MAX} conversations, and ${CHARACTERS_KEPT_MAX} characters of them, that are kept to be read; send the next when some are done.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
