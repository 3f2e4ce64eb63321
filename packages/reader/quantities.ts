import { NUMBERS, ROUGH_QUANTITIES } from './lexicons/grammar.ts'
import { phrasePattern, wordsOf } from './words.ts'

/** Returns the numbers of a text as they are written, in digits ("10:30", "1.5") and in words. */
export function numbersIn(text: string): string[] {
  return [...(text.match(DIGITS) ?? []), ...(text.match(WORDS) ?? [])]
}

/** Tells whether a text says how much or how many. */
export function tellsQuantity(text: string): boolean {
  return QUANTITY.test(text)
}

const DIGITS = /\p{Nd}+(?:[.,:/-]\p{Nd}+)*/gu
const WORDS = new RegExp(phrasePattern(wordsOf(NUMBERS)), 'giu')
const QUANTITY = new RegExp(`\\p{Nd}|${phrasePattern(wordsOf(NUMBERS, ROUGH_QUANTITIES)).source}`, 'iu')
