import { NUMBERS } from './lexicons/numbers.ts'

/** Returns the numbers of a text as they are written, in digits ("10:30", "1.5") and in words. */
export function numbersIn(text: string): string[] {
  return [...(text.match(DIGITS) ?? []), ...(text.match(WORDS) ?? [])]
}

const DIGITS = /\p{Nd}+(?:[.,:/-]\p{Nd}+)*/gu
const WORDS = new RegExp(`(?<!\\p{L})(?:${[...new Set(Object.values(NUMBERS).flat())].join('|')})(?!\\p{L})`, 'giu')
