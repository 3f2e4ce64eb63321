import { UNSPACED_LETTERS, unicodeForm } from 'mneme/plugin'
import type { Document } from './document.ts'
import { withoutComments } from './markdown.ts'
import { elementsOf } from './render.ts'

/** Letters of words without spaces between them, with the marks that belong to them. */
const DENSE = new RegExp(`[${UNSPACED_LETTERS}ー\\u0e30-\\u0e4e]+`, 'gu')
const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}ー]*/gu
const TOKEN_CHARS_MAX = 100
/**
 * Bounds the index of a document. Postgres allows 1 MB, which two dictionaries share, and takes less than {@link WORD_OVERHEAD_BYTES} beside each
 * word: https://www.postgresql.org/docs/15/textsearch-limitations.html
 */
const INDEX_BYTES_MAX = 500_000
const WORD_OVERHEAD_BYTES = 8

/** The words of a document, for its index: without comments, so that no one finds it by the ids in them. */
export function wordsToIndex(document: Document): string {
  const compiled = elementsOf(document).map(element => (element.kind === 'line' ? element.line.text : element.text))
  const { remarks, sections } = document.hand
  return indexable(withoutComments([...compiled, ...remarks.map(({ text }) => text), sections].join('\n'), ' '))
}

/**
 * Different words with spaces between them, as many from the beginning as an index holds. Text without spaces is cut into pairs of neighbouring
 * characters, so that any two of them or more are found wherever they stand.
 */
export function indexable(text: string): string {
  const words = new Set(tokensOf(text).flatMap(({ token, isDense }) => (isDense ? pairs(token) : token)))
  const indexed: string[] = []
  let bytes = 0
  for (const word of words) {
    bytes += Buffer.byteLength(word) + WORD_OVERHEAD_BYTES
    if (bytes > INDEX_BYTES_MAX) break
    indexed.push(word)
  }
  return indexed.join(' ')
}

/** The words of a query, all of which have to occur, and beginnings of words. Without any of both nothing matches. */
export function queryWords(query: string): { readonly words: string; readonly prefixes: readonly string[] } {
  const words: string[] = []
  const prefixes: string[] = []
  for (const { token, isDense } of tokensOf(query)) {
    if (!isDense) words.push(token)
    else if ([...token].length === 1) prefixes.push(token)
    else words.push(...pairs(token).slice(0, -1))
  }
  return { words: words.join(' '), prefixes }
}

function tokensOf(text: string): { token: string; isDense: boolean }[] {
  const apart = unicodeForm(text, 'NFKC').toLowerCase().replace(DENSE, ' $& ')
  const tokens = apart.match(TOKEN) ?? []
  return tokens.map(token => {
    const isDense = token.search(DENSE) >= 0
    return { token: isDense ? token : token.slice(0, TOKEN_CHARS_MAX), isDense }
  })
}

/** Neighbours two by two, and the last one alone, so that every character begins something. */
function pairs(token: string): string[] {
  const characters = [...token]
  return [...characters.slice(1).map((next, n) => `${characters[n]}${next}`), characters.at(-1) ?? '']
}
