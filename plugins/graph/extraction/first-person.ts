import type { Span } from '../contract.ts'

const FIRST_PERSON =
  /(?:^|[^\p{L}])(I|me|my|we|our|ich|mein\p{L}*|wir|yo|mi|mis|me|soy|vivo|trabajo|je|j|mon|ma|mes|nous|user)(?![\p{L}])/iu

/** Finds the first mention of the user in a text; the start of the text when there is none, as in notes without a subject. */
export function firstPersonIn(text: string): Span {
  const match = FIRST_PERSON.exec(text)
  const word = match?.[1]
  if (!match || !word) return { start: 0, end: 0 }
  const start = match.index + match[0].length - word.length
  return { start, end: start + word.length }
}
