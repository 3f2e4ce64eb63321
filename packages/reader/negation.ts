import {
  DENYING_BEFORE_VERB,
  DENYING_PARTS,
  DENYING_PREPOSITIONS,
  DENYING_PRONOUNS,
  DENYING_SYLLABLES,
  ENDINGS,
  EXCEPTIONS,
  EXCLUDING,
  FORMERLY,
  PAST_ENDINGS,
  PAST_WORDINGS,
  UNREAL_WORDINGS,
  VERB_DENIALS,
} from './lexicons/grammar.ts'
import { NO_LONGER } from './lexicons/index.ts'
import { unicodeForm } from './normalize.ts'
import { phrasePattern, wordSet, wordsOf } from './words.ts'

/**
 * Tells whether a text denies something, in the most written languages. It serves to hold a model's text against its
 * source: where one of them denies and the other does not, a "not" came or went.
 */
export function denies(text: string): boolean {
  const plain = unicodeForm(text, 'NFKC').toLowerCase()
  if (DENYING_SYLLABLES.test(plain) || DENYING_PARTS.test(plain)) return true
  return wordsIn(plain).some(word => DENYING.has(word))
}

/** Tells whether a text denies its verb, which "tea without milk" does not. */
export function deniesVerb(text: string): boolean {
  return DENYING_PARTS.test(text) || DENYING_SYLLABLES.test(text) || VERB_DENIAL.test(text)
}

/** Returns the words by which a text denies or excepts something, in lower case; of "don't" only what denies, "n't". */
export function denialsIn(text: string): string[] {
  const plain = unicodeForm(text, 'NFKC').toLowerCase()
  const parts = [...plain.matchAll(ALL_PARTS)].map(([part]) => part.replace('’', "'"))
  return [...wordsIn(plain).filter(word => EXCLUDED.has(word)), ...parts]
}

/** Tells whether a text says that something is over: "gave up coffee" may be put as "no longer drinks coffee". */
export function tellsEnd(text: string): boolean {
  return END.test(text)
}

/** Tells whether a text may say what is not without denying it: what is over, is excepted, or is there instead. */
export function tellsException(text: string): boolean {
  return tellsEnd(text) || EXCEPTION.test(text)
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}]+/gu) ?? []
}

const VERB_DENIAL = phrasePattern(wordsOf(VERB_DENIALS, DENYING_BEFORE_VERB))
const DENYING = wordSet(VERB_DENIALS, DENYING_PREPOSITIONS, DENYING_PRONOUNS)
const EXCLUDED = wordSet(VERB_DENIALS, DENYING_PREPOSITIONS, EXCLUDING)
const ALL_PARTS = new RegExp(`${DENYING_PARTS.source}|${DENYING_SYLLABLES.source}`, 'giu')
const END = phrasePattern(wordsOf(ENDINGS))
const EXCEPTION = phrasePattern(wordsOf(EXCEPTIONS))

/** Tells whether a text has a word or the ending of a verb that tells of the past, in English, German, Spanish or French. */
export function tellsPast(text: string): boolean {
  return WORDING.test(text) || ENDING.test(text)
}

/**
 * Tells whether a text says that something no longer holds.
 * @param language a primary tag; without it the wordings of all languages count
 */
export function tellsNoLonger(text: string, language?: string): boolean {
  return (language === undefined ? OVER : NO_LONGER_BY_LANGUAGE.get(language))?.test(text) ?? false
}

/** Tells whether words before a verb say that it held once: "used to". */
export function tellsFormerly(text: string): boolean {
  return ONCE.test(text)
}

/** Tells whether words before a verb say that it is only wished, planned, possible or supposed. */
export function tellsUnreal(text: string): boolean {
  return UNREAL.test(text)
}

const OVER = phrasePattern(wordsOf(NO_LONGER))
const NO_LONGER_BY_LANGUAGE = new Map(
  Object.entries(NO_LONGER).map(([language, wordings]) => [language, phrasePattern(wordings)]),
)
const ONCE = phrasePattern(wordsOf(FORMERLY))
const UNREAL = phrasePattern(wordsOf(UNREAL_WORDINGS))
const WORDING = phrasePattern(wordsOf(PAST_WORDINGS))
/** Short words end so by chance ("bed"). */
const ENDING = new RegExp(`\\p{L}{3}(?:${wordsOf(PAST_ENDINGS).join('|')})(?!\\p{L})`, 'iu')
