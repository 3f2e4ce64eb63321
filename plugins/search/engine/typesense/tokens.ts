import { createHash } from 'node:crypto'

/**
 * Typesense splits, folds and truncates what it indexes by its own rules. It only receives words of ASCII letters and digits, which those
 * rules leave alone: so both engines match the same words, and no value needs escaping in a filter.
 */

/** Converts a prefixed lexeme into a token: itself where it is plain, otherwise a digest. */
export function lexemeToken(lexeme: string): string {
  return PLAIN.test(lexeme) ? `a${lexeme}` : digest(lexeme)
}

/** Converts a user, agent, session or category into a token. */
export function valueToken(value: string): string {
  return digest(value)
}

export function idToken(id: string): string {
  return id.replaceAll('-', '').toLowerCase()
}

/** Restores the id from a token of {@link idToken}; undefined for anything else. */
export function idOfToken(token: unknown): string | undefined {
  if (typeof token !== 'string' || !/^[0-9a-f]{32}$/.test(token)) return undefined
  return token.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Typesense truncates longer tokens. */
const PLAIN = /^[a-z0-9]{1,40}$/

/** A collision of these 128 bits would only add a candidate, which Postgres then rejects. */
function digest(text: string): string {
  return `h${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}
