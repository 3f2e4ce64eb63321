/** Parts that reading makes of a text on the way to its facts. */

import { firstPersonIn } from '../index.ts'
import type { EntityType, RelationType, Span } from './kinds.ts'

/** The languages that facts are read in, the most usual first. */
export const LANGUAGES = ['en', 'de', 'es', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

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

/** The user, or a name. */
export type Subject = 'user' | Mention

/** The people that earlier sentences were about. */
export interface Talk {
  /** The last people who did something. */
  people: readonly Mention[]
  /** A quotation that the last sentence left open. */
  speech?: Speech | undefined
}

/** An open quotation; without a speaker it is somebody's whom the text does not name. */
export interface Speech {
  readonly speaker: Subject | undefined
  /** Sentences that the quotation has gone on for. */
  readonly sentences: number
}

/** When a fact holds, as exactly as the text says. */
export interface Validity {
  readonly from: string | null
  readonly to: string | null
}

export const ALWAYS: Validity = { from: null, to: null }

export interface Fact {
  readonly type: RelationType
  readonly source: Subject
  readonly target: Subject
  readonly closes: boolean
  readonly onlyEnds?: boolean
  readonly confidence: number
  readonly validity: Validity
  /** Characters of the text. */
  readonly start: number
  readonly end: number
}

/** An ending that does not name its object: "I got laid off". */
export interface UnnamedEnding extends Omit<Fact, 'target' | 'closes' | 'onlyEnds'> {
  readonly target?: undefined
}

/** Finds the first mention of the user in a text; the start of the text when there is none, as in notes without a subject. */
export function userIn(text: string): Span {
  const own = firstPersonIn(text)
  const named = /(?<!\p{L})user(?!\p{L})/iu.exec(text)
  if (named && (!own || named.index < own.start)) return { start: named.index, end: named.index + named[0].length }
  return own ?? { start: 0, end: 0 }
}
