import { createHash } from 'node:crypto'

/**
 * Typesense splits, folds and cuts what it indexes by rules of its own. All that it is given are words of ASCII letters and
 * digits, which those rules leave alone: so both engines match the same words, and no value needs escaping in a filter.
 */

/** A lexeme, with its workspace's code before it, as Typesense keeps it: itself where it is plain, else a digest. */
export function lexemeToken(lexeme: string): string {
  return PLAIN.test(lexeme) ? `a${lexeme}` : digest(lexeme)
}

/** A user, agent, session or category. */
export function valueToken(value: string): string {
  return digest(value)
}

export function idToken(id: string): string {
  return id.replaceAll('-', '').toLowerCase()
}

/** The id that {@link idToken} was made of; undefined for anything else. */
export function idOfToken(token: unknown): string | undefined {
  if (typeof token !== 'string' || !/^[0-9a-f]{32}$/.test(token)) return undefined
  return token.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Longer ones would be cut by Typesense some time. */
const PLAIN = /^[a-z0-9]{1,40}$/

/** 128 bits: two that coincide would only make a candidate more, which Postgres then sorts out. */
function digest(text: string): string {
  return `h${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}
