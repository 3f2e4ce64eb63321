/**
 * The names inside one word, in their own case: "getUserById" has get, User, By, Id and every run of neighbours ("UserById"); "TS2345" has
 * TS and 2345; "v4.1.12" has 4.1.12 and its numbers. Empty for a plain word.
 */
interface WordParts {
  /** The smallest pieces. */
  pieces: string[]
  /** True if the pieces rank like words; the numbers of a version are too unspecific. */
  ranked: boolean
  /** Longer pieces, so that a part of an identifier is found as typed; they do not rank. */
  spans: string[]
}

const PLAIN: WordParts = { pieces: [], spans: [], ranked: false }

/** @param spanned false omits the longer pieces */
export function wordParts(word: string, spanned = true): WordParts {
  if (word.length < 2 || word.length > DIVIDED_LENGTH_MAX || !DIVISIBLE.test(word)) return PLAIN
  if (word.includes('.') || word.includes(',')) return numberParts(word)
  const pieces = word.split(BOUNDARY)
  if (pieces.length < 2 || pieces.length > PIECES_MAX) return PLAIN
  if (pieces.length <= SPANNED_PIECES_MAX) return { pieces, spans: spanned ? spansOf(pieces) : [], ranked: true }
  // A word that alternates this often is a key or a hash, whose single characters mean nothing.
  return { pieces: pieces.filter(piece => piece.length > 1), spans: [], ranked: true }
}

/** Recognises a word that only code contains: with a digit, or in camelCase that starts with two lower-case letters. */
export function isIdentifier(word: string): boolean {
  return /\p{N}/u.test(word) || /^\p{Ll}{2,}\p{M}*\p{Lu}/u.test(word)
}

/** Removes grouping commas from a number ("1,000"). */
export function withoutGrouping(word: string): string {
  return word.includes(',') ? word.replaceAll(',', '') : word
}

/**
 * Finds punctuation before a word that is part of its name: "#" in "#tag", "." in ".NET", "--" in "--flag". Returns the longest such ending
 * of the joiners before the word, or ''.
 */
export function sigilOf(lead: string): string {
  if (lead === '' || lead.endsWith('...')) return ''
  for (let from = Math.max(0, lead.length - 3); from < lead.length; from++) {
    const ending = lead.slice(from)
    if (SIGILS.has(ending) || /^\p{Sc}$/u.test(ending)) return ending
  }
  return ''
}

const SIGILS = new Set([
  '#',
  '@',
  '$',
  '.',
  '~',
  '/',
  '~/',
  './',
  '../',
  '-',
  '--',
  '&',
  '^',
  ':',
  '::',
  '_',
  '__',
  '+',
])

/** Longer words are keys, hashes and encoded data, whose pieces mean nothing. */
const DIVIDED_LENGTH_MAX = 64
const PIECES_MAX = 10
const SPANNED_PIECES_MAX = 5

const DIVISIBLE = /\p{Lu}|\p{N}/u
/** Splits lower to upper case ("userId"), acronym to word ("XMLHttp", but not the plural of "IDs"), and between letters and digits. */
const BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=[\p{L}\p{M}])(?=\p{N})|(?<=\p{N})(?=\p{L})/u

function spansOf(pieces: string[]): string[] {
  const spans: string[] = []
  for (let from = 0; from < pieces.length; from++) {
    for (let to = from + 2; to <= pieces.length; to++) {
      if (to - from < pieces.length) spans.push(pieces.slice(from, to).join(''))
    }
  }
  return spans
}

/** Splits "v4.1.12rc1" into its numbers and the whole versions 4.1.12 and v4.1.12, but never 4.1, which is another version. */
function numberParts(word: string): WordParts {
  const from = word.search(/\p{N}/u)
  const number = /^[\p{N}.,]*\p{N}/u.exec(word.slice(from))?.[0] ?? ''
  const pieces = word.split(/[.,]|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u)
  const spans = [number, word.slice(0, from) + number].filter(span => span !== '' && span !== word)
  return { pieces: pieces.length > PIECES_MAX ? [] : pieces, spans: spans.map(withoutGrouping), ranked: false }
}
