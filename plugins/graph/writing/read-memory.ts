import type { Extraction } from '../contract.ts'

/** A memory as it was read. */
export interface ReadMemory {
  readonly id: string
  readonly userId: string
  readonly text: string
  readonly revision: number
  readonly categories: readonly string[]
  /** When its text was stored. */
  readonly statedAt: Date
  /** When others that were merged into it said the same, in order. */
  readonly restatedAt: readonly Date[]
  readonly extraction: Extraction
}
