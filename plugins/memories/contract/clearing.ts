import { defineExtensionPoint, type Tx } from 'mneme/plugin'

/** The scope of a mass deletion: memories to which all apply that are given, or, with none, those of the whole workspace. */
export interface ClearedScope {
  readonly userId: string | undefined
  readonly agentId: string | undefined
  readonly sessionId: string | undefined
}

/**
 * Discards input that would become memories later, such as queued conversations, when all memories of a scope are deleted. It runs inside
 * the deleting transaction and before the deletion: memories stored by then are deleted too, and nothing received earlier may be stored
 * afterwards.
 */
export interface ClearingHook {
  readonly id: string
  cleared(tx: Tx, workspaceId: string, scope: ClearedScope): Promise<void>
}

export const memoryClearing = defineExtensionPoint<ClearingHook>('memories.clearing', {
  members: { id: 'string', cleared: 'function' },
})
