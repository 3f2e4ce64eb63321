import { lexicons, wordSet } from 'mneme/plugin'

/** The library's words within names, as sets. */

export const ORGANIZATION_TAILS = wordSet(lexicons.ORGANIZATION_TAILS)
export const ORGANIZATION_HEADS = wordSet(lexicons.ORGANIZATION_HEADS)
export const PLACE_HEADS = wordSet(lexicons.PLACE_HEADS)
export const PLACE_TAILS = wordSet(lexicons.PLACE_TAILS)
export const THING_HEADS = wordSet(lexicons.THING_HEADS)
export const ORGANIZATION_VERBS = wordSet(lexicons.ORGANIZATION_VERBS)
export const PERSON_VERBS = wordSet(lexicons.PERSON_VERBS)
export const NEVER_NAMES = wordSet(lexicons.NEVER_NAMES)
export const COMMON_WORDS = wordSet(lexicons.COMMON_WORDS)
