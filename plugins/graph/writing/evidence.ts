import type { RelationType } from '../contract.ts'

/** A statement of one memory about one relationship. */
export interface Evidence {
  readonly id: string
  readonly memoryId: string
  readonly sourceId: string
  readonly targetId: string
  readonly type: RelationType
  readonly confidence: number
  /** It says that the relationship holds no more. */
  readonly closes: boolean
  readonly validFrom: Date | null
  readonly validTo: Date | null
  readonly statedAt: Date
  /** The latest it can have begun (or ended, if it closes) by what the memory says; null where it says nothing. */
  readonly effectiveAt: Date | null
  /** It holds beside others of its kind. */
  readonly isConcurrent: boolean
  /** It ends what holds, and tells nothing where nothing does; of {@link WILDCARD_TARGET} whatever the source has of the type. */
  readonly onlyEnds: boolean
  /** The edge that it is stored with. */
  readonly edgeId: string | null
}
