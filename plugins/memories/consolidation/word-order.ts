import type { Token } from './tokens.ts'
import { ATTACHING, CLAUSES, CONJUNCTIONS, DETERMINERS, POLAR, PREPOSITIONS } from './words.ts'

/** Longer phrases at the beginning are seldom a place or a time alone. */
const PHRASE_WORDS_MAX = 5

/**
 * Moves a place or time from the beginning to the end: "On weekdays, Nora parks in the garage". Only in a plain statement of one clause, where
 * it can belong to nothing else; a phrase with a number or a negation stays, and so does one before them. One that stays loses the pause behind it.
 */
export function withAdjunctLast(tokens: readonly Token[]): readonly Token[] {
  if (!PREPOSITIONS.has(tokens[0]?.text ?? '')) return tokens
  const length = phraseLength(tokens)
  const phrase = tokens.slice(0, length)
  if (phrase.length < 2 || !phrase.every(isPlainWord)) return tokens
  const clause = tokens.slice(length).filter(({ kind }) => kind !== 'pause')
  if (clause.length > 1 && clause.every(isPlainWord)) return [...clause, ...phrase.map(inside)]
  return tokens.filter(({ kind }, index) => index !== length || kind !== 'pause')
}

/** A pause ends the phrase; without one it is taken to have one word behind its preposition and a determiner. */
function phraseLength(tokens: readonly Token[]): number {
  const pause = tokens.findIndex(({ kind }) => kind === 'pause')
  if (pause > 1 && pause <= PHRASE_WORDS_MAX) return pause
  return DETERMINERS.has(tokens[1]?.text ?? '') ? 3 : 2
}

/** Only the beginning of the text gave the first word its capital. */
function inside(token: Token, index: number): Token {
  return index === 0 ? { ...token, typed: token.text } : token
}

function isPlainWord({ kind, text }: Token): boolean {
  return kind === 'word' && !CONJUNCTIONS.has(text) && !POLAR.has(text) && !CLAUSES.has(text) && !ATTACHING.has(text)
}
