import { FORMERLY, PAST_ENDINGS, PAST_WORDINGS, UNREAL_WORDINGS } from './lexicons/grammar.ts'
import { NO_LONGER } from './lexicons/index.ts'
import { phrasePattern } from './phrases.ts'
import { wordsOf } from './word-set.ts'

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
