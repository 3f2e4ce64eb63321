import type { ScoreExplanation, Memory as Stored } from '@mneme/client'

/** A memory as lists, searches and its own address give it. */
export type Memory = Stored & {
  readonly relevance?: 'HIGH' | 'MEDIUM' | 'LOW' | 'NONE'
  readonly score?: number
  readonly explanation?: ScoreExplanation
}

export interface Memories {
  readonly data: readonly Memory[]
  readonly total: number
  /** A search gives it, and feedback names it. */
  readonly query_hash?: string
  readonly warning?: string
}

/** Tells whether the service still works on a memory. */
export const isUnderWay = ({ status }: Memory) => status === 'PENDING' || status === 'PROCESSING'
