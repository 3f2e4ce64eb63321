import { INVERTED_QUESTIONS, QUESTION_BEGINNINGS, QUESTION_SIGN } from './lexicons/questions.ts'
import { wordingPattern } from './wording-pattern.ts'

/**
 * Tells whether a sentence asks something, by its signs alone: words that begin questions begin statements as well ("When Anna is away,
 * Ben runs the shop.").
 */
export function isQuestion(sentence: string): boolean {
  return QUESTION_SIGN.test(sentence)
}

/**
 * Tells whether a sentence of a chat asks something, where questions often end without any sign: by its sign, by its word order, or by its
 * first words where no stop says otherwise.
 */
export function asks(sentence: string): boolean {
  return isQuestion(sentence) || INVERTED.test(sentence) || (!STOP.test(sentence) && BEGINNING.test(sentence))
}

const INVERTED = wordingPattern(INVERTED_QUESTIONS)
const BEGINNING = wordingPattern(QUESTION_BEGINNINGS)
/** Whoever ends a sentence by this sign states something. */
const STOP = /(?<!\.)[.。．؛।]["'”’»)\]」』]*\s*$/u
