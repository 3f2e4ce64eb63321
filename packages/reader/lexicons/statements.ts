/** Words that decide whether two statements say the same. The lists are short on purpose: a word that is missing here counts. */

/** A comma before a conjunction carries no meaning. */
export const CONJUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  en: 'and or but because so'.split(' '),
  de: 'und oder aber weil denn sondern'.split(' '),
  fr: 'et ou mais parce car'.split(' '),
  es: 'y pero porque sino'.split(' '),
}

/** These English words begin a place or a time. A comma before them carries no meaning. */
export const ADJUNCT_PREPOSITIONS = 'on in at during since until near'.split(' ')

/**
 * These words stress a statement and change nothing of it. Degrees ("very", "totally"), limits ("only", "almost") and frequencies ("always")
 * are not among them.
 */
export const EMPHASES: Readonly<Record<string, readonly string[]>> = {
  en: 'really truly actually honestly genuinely definitely absolutely'.split(' '),
  de: ['wirklich'],
  es: ['realmente'],
  fr: ['vraiment'],
}

/** A pause after these words changes what they belong to: "No, coffee for Ben". */
export const POLAR_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: "no not never none nothing nobody neither nor without don't dont yes yeah stop".split(' '),
  de: 'nein nicht nie niemals kein keine keinen ohne ja doch'.split(' '),
  fr: 'non pas jamais rien sans oui si'.split(' '),
  es: 'si sí nunca nada sin tampoco'.split(' '),
}

/** Before these English words "the" is kept, because dropping it would change the meaning. */
export const KEEP_THE = 'who which what more less same other only'.split(' ')

/** After these English verbs "that" can be left out. */
export const CLAIMING_VERBS =
  'say says said think thinks thought know knows knew believe believes believed hope hopes hoped'.split(' ')

/** These English words begin a clause after an optional "that". */
export const CLAUSE_SUBJECTS = 'i you he she it we they the my your his her our their'.split(' ')

/** After these English words a further clause begins, to which a place or time before it may belong. */
export const CLAUSE_OPENERS = 'that who which when while if what where how why before after'.split(' ')

/** English phrases with these words take up a place or time that follows: "a book about Rome", "the party for Ann on Monday". */
export const ATTACHING_PREPOSITIONS = 'about of for with from to by as than'.split(' ')
