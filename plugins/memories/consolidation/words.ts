import { lexicons, wordSet } from 'mneme/plugin'

/** The lexicons by which statements are compared, as sets. */
export const CONJUNCTIONS = wordSet(lexicons.CONJUNCTIONS)
export const PREPOSITIONS = wordSet(lexicons.ADJUNCT_PREPOSITIONS)
export const DETERMINERS = wordSet(lexicons.DETERMINERS)
export const EMPHASES = wordSet(lexicons.EMPHASES)
export const POLAR = wordSet(lexicons.POLAR_WORDS)
export const KEEP_THE = wordSet(lexicons.KEEP_THE)
export const CLAIMING = wordSet(lexicons.CLAIMING_VERBS)
export const CLAUSE_SUBJECTS = wordSet(lexicons.CLAUSE_SUBJECTS)
export const CLAUSES = wordSet(lexicons.CLAUSE_OPENERS)
export const ATTACHING = wordSet(lexicons.ATTACHING_PREPOSITIONS)
export const SECRETS = wordSet(lexicons.SECRETS)
export const ALSO_NAMES = wordSet(lexicons.ALSO_NAMES)
export const SIZED_UNITS = wordSet(lexicons.SIZED_UNITS)
export const BEFORE_VERB = wordSet(lexicons.BEFORE_VERB)
