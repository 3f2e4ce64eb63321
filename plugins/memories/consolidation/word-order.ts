import type { Token } from './tokens.ts'
import { ATTACHING, CLAUSES, CONJUNCTIONS, POLAR, PREPOSITIONS } from './words.ts'

/** Longer phrases at the beginning are seldom a place or a time alone. */
const PHRASE_WORDS_MAX = 5

/**
 * Moves a place or time from the beginning, where a comma ends it, to the end: "On weekdays, Nora parks in the garage". Only in a plain
 * statement of one clause, where it can belong to nothing else; a phrase with a number or a negation stays, and so does one before them.
 */
export function withAdjunctLast(tokens: readonly Token[]): readonly Token[] {
  const comma = tokens.findIndex(({ kind }) => kind === 'pause')
  const phrase = tokens.slice(0, Math.max(0, comma))
  const clause = tokens.slice(comma + 1)
  const isMovable =
    tokens[comma]?.text === ',' &&
    phrase.length > 1 &&
    phrase.length <= PHRASE_WORDS_MAX &&
    PREPOSITIONS.has(phrase[0]?.text ?? '') &&
    phrase.every(isPlainWord) &&
    clause.length > 1 &&
    clause.every(isPlainWord)
  return isMovable ? [...clause, ...phrase.map(inside)] : tokens
}

/** Only the beginning of the text gave the first word its capital. */
function inside(token: Token, index: number): Token {
  return index === 0 ? { ...token, typed: token.text } : token
}

function isPlainWord({ kind, text }: Token): boolean {
  return kind === 'word' && !CONJUNCTIONS.has(text) && !POLAR.has(text) && !CLAUSES.has(text) && !ATTACHING.has(text)
}
