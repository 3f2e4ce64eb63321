import { defineExtensionPoint, type Tx } from 'mneme/plugin'

/** Whose memories are all deleted: a user's, an agent's, those of both, or, with neither, the whole workspace's. */
export interface ClearedScope {
  readonly userId: string | undefined
  readonly agentId: string | undefined
}

/**
 * What is on its way to become memories goes with them when all of somebody's are deleted. Runs in the transaction that deletes,
 * before it does: what is stored by then goes with the rest, and nothing of what came before may be stored after it.
 */
export interface ClearingHook {
  readonly id: string
  cleared(tx: Tx, workspaceId: string, scope: ClearedScope): Promise<void>
}

export const memoryClearing = defineExtensionPoint<ClearingHook>('memories.clearing', {
  members: { id: 'string', cleared: 'function' },
})
