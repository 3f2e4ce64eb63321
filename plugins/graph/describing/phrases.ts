import type { RelationType } from '../contract.ts'

/** Phrases for a relationship's source and its target; `*` is the name of the other end. Symmetric types have one phrase. */
const PHRASES: Readonly<Record<RelationType, readonly [string, string]>> = {
  WORKS_AT: ['works at *', 'where * works'],
  LIVES_IN: ['lives in *', 'where * lives'],
  MARRIED_TO: ['married to *', 'married to *'],
  PARENT_OF: ['parent of *', 'child of *'],
  REPORTS_TO: ['reports to *', 'boss of *'],
  MANAGES: ['manages *', 'managed by *'],
  LOCATED_IN: ['in *', 'where * is'],
  PART_OF: ['part of *', 'includes *'],
  MEMBER_OF: ['member of *', 'with * as a member'],
  CREATED: ['created *', 'created by *'],
  OWNS: ['owns *', 'owned by *'],
  STUDIED_AT: ['has studied at *', 'where * has studied'],
  BORN_IN: ['born in *', 'where * was born'],
  RELATED_TO: ['related to *', 'related to *'],
  COLLABORATES_WITH: ['works with *', 'works with *'],
  USES_TECHNOLOGY: ['uses *', 'used by *'],
  LIKES: ['likes *', 'liked by *'],
  INTERESTED_IN: ['interested in *', 'of interest to *'],
  DISLIKES: ['dislikes *', 'disliked by *'],
  VISITED: ['visited *', 'visited by *'],
  KNOWS: ['knows *', 'known to *'],
}

/** Types that tell most about an entity come first; within a type the most recent does. */
const ORDER = new Map(Object.keys(PHRASES).map((type, place) => [type, place]))
const PHRASES_MAX = 3
const LENGTH_MAX = 300

/** A relationship as one of its ends sees it. */
export interface Seen {
  readonly type: RelationType
  readonly outgoing: boolean
  /** The name of the other end; of the user's own entity no name, for it may change. */
  readonly other: string
  readonly knownFrom: Date
}

/** As "works at Northwind Labs, lives in Lisbon"; null where nothing is known. */
export function describe(seen: readonly Seen[]): string | null {
  const chosen = seen.toSorted(
    (a, b) =>
      (ORDER.get(a.type) ?? 0) - (ORDER.get(b.type) ?? 0) ||
      b.knownFrom.getTime() - a.knownFrom.getTime() ||
      (a.other < b.other ? -1 : 1),
  )
  const phrases = new Set<string>()
  for (const { type, outgoing, other } of chosen) {
    const phrase = PHRASES[type][outgoing ? 0 : 1].replace('*', () => other)
    if (phrases.size < PHRASES_MAX && [...phrases, phrase].join(', ').length <= LENGTH_MAX) phrases.add(phrase)
  }
  return phrases.size > 0 ? [...phrases].join(', ') : null
}
