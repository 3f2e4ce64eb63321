import { definePort, type Tenant } from 'mneme/plugin'

/** A text, and the user whose memory it is to be. */
export interface Statement {
  readonly text: string
  readonly userId: string
}

/**
 * A workspace holds each text once, and users speak of themselves in the same words: what somebody else's memory holds says nothing about
 * this user. Provided by the memories plugin.
 */
export interface MemoryAttribution {
  /**
   * Puts the user's id before each text that a memory of another user holds, or that stands among earlier ones for another user; where texts are
   * unique within users, they stay as they are. Call it
   * outside any transaction. A text that is stored meanwhile, or is too long for the id, stays as it is.
   * @returns the texts, in the order given
   */
  attribute(tenant: Tenant, statements: readonly Statement[]): Promise<readonly string[]>
}
export const memoryAttribution = definePort<MemoryAttribution>('memories.attribution')

/** Says in a text whose it is. */
export function attributedTo(userId: string, text: string): string {
  return `${userId}: ${text}`
}
