import { defineExtensionPoint, type Tx } from 'mneme/plugin'

/**
 * A plugin's part in the erasure of a user, for what the entries of `subjects` in its manifest cannot reach: another server, what is folded
 * into figures later, files that tell of several users. Each method may be called again, and runs in a transaction of the workspace.
 */
export interface UserEraser {
  readonly id: string
  /** Begins what takes time. Called once all rows of the user are removed. */
  begin?(tx: Tx, workspaceId: string, userId: string): Promise<void>
  /** Asked every second or so until it is true: nothing is left of what was there before `removedAt`. */
  isDone?(tx: Tx, workspaceId: string, userId: string, removedAt: Date): Promise<boolean>
  /** Called in the transaction that ends the erasure: what is written from now on is a new user's. */
  end?(tx: Tx, workspaceId: string, userId: string): Promise<void>
}

export const userErasers = defineExtensionPoint<UserEraser>('memories.userErasers', { members: { id: 'string' } })
