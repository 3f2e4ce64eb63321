import { definePort, type Tx } from 'mneme/plugin'

/** Counts memories for figures, in the caller's transaction. Provided by the memories plugin. */
export interface MemoryStatistics {
  /** Live memories that were created in `[from, to)`, by category; those without one count under null, those with several under each. */
  categories(tx: Tx, workspaceId: string, from: Date, to: Date): Promise<{ category: string | null; count: number }[]>
  /** Tells which of these texts have all their words in a memory that expired lately: it looks at the 200 that expired last. */
  expiredWith(tx: Tx, workspaceId: string, texts: readonly string[]): Promise<ReadonlySet<string>>
}
export const memoryStatistics = definePort<MemoryStatistics>('memories.statistics')
