import type { Span } from '../../contract.ts'

/** Scripts that put no space between words: there a word may begin anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const LETTER = /[\p{L}\p{N}]/u

/**
 * Where a text holds these words letter by letter, as whole words: "Ann" is not in "Annual". Undefined where it does not, and
 * for words that hold neither letter nor digit.
 */
export function quoted(text: string, words: string): Span | undefined {
  if (!LETTER.test(words) || words.trim() !== words) return undefined
  const first = firstOf(words)
  const last = lastOf(words)
  for (let start = text.indexOf(words); start !== -1; start = text.indexOf(words, start + 1)) {
    const end = start + words.length
    if (
      !joins(lastOf(text.slice(Math.max(0, start - 2), start)), first) &&
      !joins(last, firstOf(text.slice(end, end + 2)))
    ) {
      return { start, end }
    }
  }
  return undefined
}

/** True of two characters that stand within one word. */
function joins(before: string, after: string): boolean {
  return LETTER.test(before) && LETTER.test(after) && !UNSPACED.test(before) && !UNSPACED.test(after)
}

function firstOf(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0)
}

function lastOf(text: string): string {
  const pair = text.slice(-2)
  return pair.length === 2 && (pair.codePointAt(0) ?? 0) > 0xffff ? pair : text.slice(-1)
}
