import type { EntityType } from '../../contract.ts'

/** A name in a sentence. */
export interface Mention {
  readonly name: string
  readonly start: number
  readonly end: number
  /** The type that the name itself tells; undefined when only context can tell. */
  readonly type: EntityType | undefined
  /** 0 to 1: that it is a name, and of this type. Below {@link SURE} only a relation makes an entity of it. */
  readonly confidence: number
  /** It tells which of several is meant, as the town in "the Porto branch": the sentence speaks of the noun behind it. */
  readonly modifies?: true
}

export const SURE = 0.5
