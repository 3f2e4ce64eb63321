import type { Extraction } from '../contract.ts'

/** A memory as it was read. */
export interface ReadMemory {
  readonly id: string
  readonly userId: string
  readonly text: string
  readonly revision: number
  readonly categories: readonly string[]
  /** The instant at which its text was stored. */
  readonly statedAt: Date
  /** The instants at which merged duplicates stated the same, in order. */
  readonly restatedAt: readonly Date[]
  readonly extraction: Extraction
}
