import { DENYING_PARTS, DENYING_SYLLABLES, DENYING_WORDS, ENDINGS, EXCEPTIONS } from './lexicons/denials.ts'
import { unicodeForm } from './unicode-form.ts'

/**
 * Tells whether a text denies something, in the most written languages. It serves to hold a model's text against its
 * source: where one of them denies and the other does not, a "not" came or went.
 */
export function denies(text: string): boolean {
  const plain = unicodeForm(text, 'NFKC').toLowerCase()
  if (DENYING_SYLLABLES.test(plain) || DENYING_PARTS.test(plain)) return true
  return (plain.match(/[\p{L}\p{M}]+/gu) ?? []).some(word => WORDS.has(word))
}

/** Tells whether a text says that something is over: "gave up coffee" may be put as "no longer drinks coffee". */
export function tellsEnd(text: string): boolean {
  return END.test(text)
}

/** Tells whether a text may say what is not without denying it: what is over, is excepted, or is there instead. */
export function tellsException(text: string): boolean {
  return tellsEnd(text) || EXCEPTION.test(text)
}

const WORDS = new Set(DENYING_WORDS)
const END = wordings(ENDINGS)
const EXCEPTION = wordings(EXCEPTIONS)

function wordings(lists: Readonly<Record<string, readonly string[]>>): RegExp {
  const alternatives = Object.values(lists)
    .flat()
    .map(wording => wording.replaceAll('-', '\\s+').replace('~', '\\p{L}*'))
  return new RegExp(`(?<!\\p{L})(?:${alternatives.join('|')})(?!\\p{L})`, 'iu')
}
