import { defineExtensionPoint, type Tx } from 'mneme/plugin'

/** A source knows this of whether a memory holds now. */
export interface Holding {
  /** When all that the memory states had ended; left out while any of it holds, or the source does not know. */
  readonly endedAt?: Date
  /** Memories that state what holds in place of it, the newest first; never a guess. */
  readonly supersededBy?: readonly string[]
  /** Memories of the same user about the same thing, earlier and later ones, the likest first: one may replace the other, or both hold. */
  readonly alike?: readonly string[]
}

/** Knows which memories hold, as a graph that has read them, or which are about the same thing, as an index of their meaning. */
export interface HoldingSource {
  readonly id: string
  /** Runs a bounded statement or two, and leaves out memories of which nothing is known. */
  holdings(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Holding>>
}
export const memoryHoldings = defineExtensionPoint<HoldingSource>('memories.holdings', {
  members: { id: 'string', holdings: 'function' },
})

/** Says whether a memory holds now, as far as that is known; `newer` are later statements about the same thing. */
export interface MemoryHolding {
  readonly endedAt: Date | null
  readonly supersededBy: readonly string[]
  readonly newer: readonly string[]
}
