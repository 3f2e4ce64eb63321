import { firstPersonIn } from 'mneme/plugin'
import type { Span } from '../contract.ts'

/** Finds the first mention of the user in a text; the start of the text when there is none, as in notes without a subject. */
export function userIn(text: string): Span {
  const own = firstPersonIn(text)
  const named = /(?<!\p{L})user(?!\p{L})/iu.exec(text)
  if (named && (!own || named.index < own.start)) return { start: named.index, end: named.index + named[0].length }
  return own ?? { start: 0, end: 0 }
}
