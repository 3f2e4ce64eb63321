import type { EntityType } from '../../contract.ts'

/** A name in a sentence. */
export interface Mention {
  readonly name: string
  readonly start: number
  readonly end: number
  /** What it is by itself; undefined when only the words around can tell. */
  readonly type: EntityType | undefined
  /** 0 to 1: that it is a name, and of this type. Below {@link SURE} only a relation makes an entity of it. */
  readonly confidence: number
}

export const SURE = 0.5
