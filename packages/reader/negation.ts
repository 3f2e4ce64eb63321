import {
  DENYING_BEFORE_VERB,
  DENYING_PARTS,
  DENYING_PREPOSITIONS,
  DENYING_PRONOUNS,
  DENYING_SYLLABLES,
  ENDINGS,
  EXCEPTIONS,
  EXCLUDING,
  VERB_DENIALS,
} from './lexicons/grammar.ts'
import { phrasePattern } from './phrases.ts'
import { unicodeForm } from './unicode-form.ts'
import { wordSet, wordsOf } from './word-set.ts'

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
