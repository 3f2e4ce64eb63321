import { NUMBERS, ROUGH_QUANTITIES } from './lexicons/numbers.ts'

/** Returns the numbers of a text as they are written, in digits ("10:30", "1.5") and in words. */
export function numbersIn(text: string): string[] {
  return [...(text.match(DIGITS) ?? []), ...(text.match(WORDS) ?? [])]
}

/** Tells whether a text says how much or how many. */
export function tellsQuantity(text: string): boolean {
  return QUANTITY.test(text)
}

const DIGITS = /\p{Nd}+(?:[.,:/-]\p{Nd}+)*/gu
const WORDS = wordsOf(Object.values(NUMBERS).flat(), 'giu')
const QUANTITY = new RegExp(
  `\\p{Nd}|${
    wordsOf(
      [NUMBERS, ROUGH_QUANTITIES].flatMap(list => Object.values(list).flat()),
      'iu',
    ).source
  }`,
  'iu',
)

function wordsOf(words: readonly string[], flags: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${[...new Set(words)].join('|')})(?!\\p{L})`, flags)
}
