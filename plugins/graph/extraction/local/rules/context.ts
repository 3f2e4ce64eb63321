import type { RelationType } from '../../../contract.ts'

/** Patterns around the match of a rule, by which it is meant otherwise, denied or dated. */

/** Words that make something else of a match: a son called Magnus is not owned, a student at MIT does not work there. */
export const NOT_MEANT: Readonly<Partial<Record<RelationType, RegExp>>> = {
  OWNS: /(?:^| )(?:son|sons|daughter|daughters|child|children|kids?|brothers?|sisters?|friends?|cousins?|colleagues?|wife|husband) /,
  WORKS_AT:
    / (?:study|studying|studied|student|master's|masters|phd|bachelor's|degree|thesis|mba|enrolled|patient|guest|party|dinner|appointment|meeting|staying|arriving|conference|account (?:lead|manager|executive|owner) for|customer(?! (?:support|service|success|care|experience) )) /,
}

/** A match behind it is said of nobody. */
export const NOBODY = /^[^.;]* (?:neither|nobody|no one|none of) /

/** Words of a match that begin or end something, so that a date beside them is a border. */
export const CHANGE =
  /joined|hired|started|stopped|moved|relocated|left|quit|resigned|retired|laid off|fired|migrated|switched|replaced|bought|sold|founded|adopted|married|divorced|mud[oóé]|dejó|quitté|verlassen|gezogen|déménagé|until|between/

/** Denials that tell how somebody feels: "can't stand" denies nothing. */
export const FEELING = /^(?:can't|cannot|can not) (?:stand|get enough|live without)/

/** Precedes what holds on a condition. */
export const CONDITION = / (?:if|whether|unless|wenn|falls|ob|si) [^,.;]{0,40}$/

/** Begins what says nothing more of the match before. */
export const CLAUSE_END = / (?:;|\.|but|because|pero|aber|mais|before|and (?:now|then|she|he|i|they|joined|moved)) /

/** A date that opens a sentence. */
export const OPENING_DATE =
  /^ (?:since|in|seit|desde|depuis|from) [^,]{3,20}? (?=,|i |he |she |they |we |[\uE000-\uF8FF])/

/** A person's role may stand between a rule and the name: "reports to our director, Ana". */
export const CALLING = '(?: (?:the|my|our|his|her|their)<2> ,)?'

/** "Is at Rome" may be work or a visit. */
export const VAGUE = /^(?:is|'s|am|'m|are|'re|was|were|been|be)(?: \S+)? (?:at|with) /
