import { definePort, type Tenant, type Tx } from 'mneme/plugin'

/** The memories of a category; of those without one, where it is null; or of all categories that are not told apart. */
export interface CategoryCount {
  readonly category: string | null
  readonly isOthers: boolean
  readonly count: number
}

/** Counts memories for figures, in the caller's transaction unless it says otherwise. Provided by the memories plugin. */
export interface MemoryStatistics {
  /** Live memories that were created in `[from, to)`, by the `most` largest categories; those with several count under each. */
  categories(tx: Tx, workspaceId: string, from: Date, to: Date, most: number): Promise<CategoryCount[]>
  /** When the oldest live memory was created; undefined without one. */
  beginning(tx: Tx, workspaceId: string): Promise<Date | undefined>
  /**
   * Tells which of these texts have all their words in a memory that expired lately: their 24 longest words, and the first 4,000 characters
   * of the 200 that expired last. Never call it in a transaction, as it has its own.
   */
  expiredWith(tenant: Tenant, texts: readonly string[]): Promise<ReadonlySet<string>>
}
export const memoryStatistics = definePort<MemoryStatistics>('memories.statistics')
