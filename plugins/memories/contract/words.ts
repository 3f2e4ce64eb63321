/** The values of a memory's enumerated fields. */
export type Priority = 'LOW' | 'MEDIUM' | 'HIGH'
export type Status = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
export type Layer = 'TASK' | 'RAW'
export type Source = 'API' | 'INGEST' | 'TEMPLATE' | 'CONVERSATION' | 'IMPORT'
export type Relevance = 'HIGH' | 'MEDIUM' | 'LOW' | 'NONE'

/** Tells whether two lists hold the same categories in the same order, as memories keep them. */
export function sameCategories(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((category, n) => category === others[n])
}
