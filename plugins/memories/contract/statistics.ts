import { definePort, type Tx } from 'mneme/plugin'

/** Counts memories for figures, in the caller's transaction. Provided by the memories plugin. */
export interface MemoryStatistics {
  /** Live memories that were created in `[from, to)`, by category; those without one count under null, those with several under each. */
  categories(tx: Tx, workspaceId: string, from: Date, to: Date): Promise<{ category: string | null; count: number }[]>
}
export const memoryStatistics = definePort<MemoryStatistics>('memories.statistics')
