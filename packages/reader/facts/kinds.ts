/** Facts of texts: the kinds of entities, relationships and statements that there are. */

/** The types of entities. */
export const ENTITY_TYPES = ['PERSON', 'ORGANIZATION', 'PLACE', 'THING'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** Every type that a relationship may have; nothing that reads may invent another. */
export const RELATION_TYPES = [
  'WORKS_AT',
  'MANAGES',
  'REPORTS_TO',
  'COLLABORATES_WITH',
  'KNOWS',
  'RELATED_TO',
  'MARRIED_TO',
  'PARENT_OF',
  'LIVES_IN',
  'LOCATED_IN',
  'BORN_IN',
  'VISITED',
  'OWNS',
  'CREATED',
  'USES_TECHNOLOGY',
  'PART_OF',
  'MEMBER_OF',
  'STUDIED_AT',
  'LIKES',
  'DISLIKES',
  'INTERESTED_IN',
] as const
export type RelationType = (typeof RELATION_TYPES)[number]

/** Types that mean the same from either end: one edge, whatever the order of its ends. */
export const SYMMETRIC_TYPES: ReadonlySet<RelationType> = new Set([
  'MARRIED_TO',
  'KNOWS',
  'COLLABORATES_WITH',
  'RELATED_TO',
])

/** Done once or for good: these have no end. */
export const LASTING_TYPES: ReadonlySet<RelationType> = new Set([
  'VISITED',
  'STUDIED_AT',
  'CREATED',
  'BORN_IN',
  'PARENT_OF',
  'RELATED_TO',
])

/** Subjects of statements. */
export const STATEMENT_CATEGORIES = [
  'tech_stack',
  'preferences',
  'work_context',
  'communication_style',
  'personal',
  'relationships',
  'goals',
  'general',
] as const
export type StatementCategory = (typeof STATEMENT_CATEGORIES)[number]

/** Characters of the text, in UTF-16 units, `end` exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface ExtractedEntity {
  /**
   * As the text writes it, or as it is where the text inflects it ("Annas Firma") or spares the capitals; of the user before any
   * text states a name: the `userId`.
   */
  readonly name: string
  readonly type: EntityType
  /** Other names of the same in this text, and the `userId` of a user whose name is stated. */
  readonly aliases: readonly string[]
  /** The first place that names it; of the user without a name: the pronoun. */
  readonly span: Span
  /** 0 to 1. */
  readonly confidence: number
  /** True of the one who says "I". */
  readonly isUser: boolean
}

export interface ExtractedRelation {
  readonly type: RelationType
  /** Index in the extraction's entities. */
  readonly source: number
  /** Index in the extraction's entities, never that of `source`. */
  readonly target: number
  /** 0 to 1. */
  readonly confidence: number
  /** The words that state it. */
  readonly span: Span
  /** ISO 8601 date or date and time, as exact as the text says; null when it says nothing. */
  readonly validFrom: string | null
  readonly validTo: string | null
  /** The text says that it holds no more. */
  readonly closes: boolean
}

/**
 * Words that end what is known to hold, and tell nothing where nothing is known: "I got laid off" of whatever job there is, "I am
 * done with Acme" of a job there, but no job there had to be.
 */
export interface ExtractedEnding {
  readonly type: RelationType
  /** Index in the extraction's entities. */
  readonly source: number
  /** Index in the extraction's entities, never that of `source`; null for all that the source has of the type. */
  readonly target: number | null
  /** 0 to 1. */
  readonly confidence: number
  readonly span: Span
  /** ISO 8601 date or date and time, as exact as the text says; null when it says nothing. */
  readonly validTo: string | null
}

/** A sentence worth keeping, word for word. */
export interface ExtractedStatement {
  readonly text: string
  readonly category: StatementCategory
  readonly span: Span
  /** 0 to 1. */
  readonly confidence: number
}

/** The facts and the words of a sentence say something of its category. */
export interface Hints {
  /** They speak for each category as much as a likeness of this size does; the strongest comes first. */
  readonly weights: ReadonlyMap<StatementCategory, number>
  /** The facts leave no other categories than these. */
  readonly areAll: boolean
}

/** Files a sentence without knowing what it is like. */
export function filedByHints({ weights }: Hints): StatementCategory {
  return weights.keys().next().value ?? 'general'
}

/** A statement whose category may still have to be found. */
export interface KeptSentence extends Omit<ExtractedStatement, 'category'> {
  readonly category: StatementCategory | undefined
  readonly hints: Hints
}

/** A text in which facts are looked for. */
export interface ToldText {
  readonly text: string
  /** Name of the one who says "I" until a text states another. */
  readonly userId: string
  /** "last year" counts from this time. */
  readonly createdAt: Date
  /** A part of a document, which says nothing of the user but where it says "I" or "we". */
  readonly isDocument?: boolean
}

/** All that a text tells; the spans are of it. */
export interface ReadText {
  /** No two have the same name and type. */
  readonly entities: readonly ExtractedEntity[]
  readonly relations: readonly ExtractedRelation[]
  readonly endings: readonly ExtractedEnding[]
  /** Sentences worth keeping. */
  readonly kept: readonly KeptSentence[]
}
