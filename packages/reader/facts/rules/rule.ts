import type { EntityType, RelationType } from '../kinds.ts'

/** A pattern for one type of fact. */
export interface Rule {
  readonly type: RelationType
  /** A pattern (see `frame.ts`) from the verb on, with its object `<O>`; a source without it ends in `<F><O>`. */
  readonly says: string
  /** The type that the object must have, and gets where its type is unknown. */
  readonly target: readonly EntityType[]
  /** The type that the subject must have; PERSON by default. */
  readonly source?: readonly EntityType[]
  /** True where the words end the fact. */
  readonly closes?: boolean
  /** Words of the match that put it in the past, unless it is a perfect ("has worked"). */
  readonly past?: RegExp
  /** The object states the fact of the subject: "was founded by". */
  readonly inverse?: boolean
  /** The verb's form is the first person's. */
  readonly user?: boolean
  /** Takes only objects that are of the type by themselves. */
  readonly known?: boolean
  /** "switched from A to B" may be of tools or of employers: which of them the rule is for, told by the names. */
  readonly change?: 'tools' | 'employers'
  /** Ends what holds, and tells nothing where nothing does: "done with Acme" of a job there. */
  readonly onlyEnds?: boolean
  /** The pattern itself has the words that would end or deny it: "Ana is no longer my boss, Ben is" of Ben. */
  readonly holds?: boolean
  /** Takes what no list knows, or what is of the type; lists are not corrected. */
  readonly strict?: boolean
  /** The subject is caught as `<S>` in the pattern. */
  readonly bound?: boolean
}

export const PERSON: readonly EntityType[] = ['PERSON']
export const ORG: readonly EntityType[] = ['ORGANIZATION']
export const PLACE: readonly EntityType[] = ['PLACE']
export const THING: readonly EntityType[] = ['THING']
export const ANY: readonly EntityType[] = ['THING', 'ORGANIZATION', 'PLACE', 'PERSON']
export const ORG_OR_THING: readonly EntityType[] = ['ORGANIZATION', 'THING']
export const WORKERS: readonly EntityType[] = ['PERSON', 'ORGANIZATION', 'THING']

export const ROLE =
  '(?:ceo|cto|cfo|coo|cmo|director|president|chairman|chairwoman|chair|head|chief|vp|manager|employee|partner|dean|principal|editor|secretary|treasurer|lead|boss|captain|coach)'
export const BE = "(?:is|'s|am|'m|are|'re|was|were|been|became|be|isn't|aren't|wasn't|weren't)"
export const MADE =
  '(?:founded|co-founded|cofounded|created|built|developed|designed|invented|wrote|authored|composed|launched|established|directed|published|painted)'
export const YEARS =
  /^(?!.*(?:^| )(?:since|has|have|'ve|first (?:day|week|month)) ).*\b(?:worked|(?:was|were)(?! (?:\S+ )?(?:appointed|named|promoted|elected|hired|recruited|poached|headhunted)\b)|lived|taught|interned|freelanced|consulted|resided|managed|led|headed|supervised|ran|reported)\b/

/** It holds now. */
export const NOW = '(?:now|nowadays|these days|today|currently)'
/** Precedes no home or employer of today. */
export const FORMER =
  '(?!(?: \\S+){0,2} (?:old|former|previous|first|last|second|next|future|childhood|holiday|summer|weekend|vacation|parents|dream) )'
/** Leaves one thing for another. */
export const GAVE_UP =
  '(?:left|quit|ditched|dropped|swapped|traded|exchanged|abandoned|gave up|given up|replaced|dumped|switched|changed|sacrificed|deserted)'
/** Patterns of a bare note: "Current city: Lisbon". */
export const NOTE = "(?<=^ (?:[-*•–] )?)(?:my |user 's |current |present |new |home |work |day )*"
