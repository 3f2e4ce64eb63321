import { unicodeForm } from 'text-reader'

/**
 * This token stands for everything outside the vocabulary: most scripts but Latin, and pictures. A run without spaces
 * is one, however long.
 */
const UNKNOWN = '[UNK]'

/** At least this share of a text's meaningful characters has to be in tokens. */
const KNOWN_SHARE_MIN = 1 / 3

/** The tokeniser keeps these characters of a text in NFD, or folds each of them to one: blanks and combining marks it drops. */
const KEPT = /[^\s\p{M}\p{C}]/u

/**
 * Tells where tokens begin in their text, since the tokeniser does not: about, by counting the characters that it
 * keeps. Unknown tokens share evenly what the others leave, which is exact where each of them is one character, as in
 * Chinese and Japanese.
 *
 * @returns a function from the place of a token to an offset in UTF-16 units; the place after the last is the end
 */
export function textOffsets(text: string, tokens: readonly string[]): (token: number) => number {
  const offsets = keptOffsets(text)
  const sizes = tokens.map(token => (token === UNKNOWN ? undefined : [...token.replace(/^##/, '')].length))
  const known = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  const unknown = sizes.filter(size => size === undefined).length
  const share = unknown > 0 ? Math.max(0, offsets.length - known) / unknown : 0
  const before = [0]
  for (const size of sizes) before.push((before.at(-1) ?? 0) + (size ?? share))
  return token => {
    if (token <= 0) return 0
    return token >= tokens.length ? text.length : (offsets[Math.round(before[token] ?? 0)] ?? text.length)
  }
}

/** Lists the offsets of the characters that tokens consist of; a Hangul syllable is two or three of them. */
function keptOffsets(text: string): number[] {
  const offsets: number[] = []
  let at = 0
  for (const character of text) {
    for (const part of unicodeForm(character, 'NFD')) if (KEPT.test(part)) offsets.push(at)
    at += character.length
  }
  return offsets
}

/**
 * Tells whether a model knows too little of a text to distinguish it from others: blank, in a script without tokens of
 * its own, or of pictures. Punctuation or a number between unknown words says too little.
 * @param tokens those of the text, without the ones that frame it
 */
export function isUnknown(text: string, tokens: readonly string[]): boolean {
  if (!tokens.includes(UNKNOWN)) return tokens.length === 0
  const known = tokens.reduce((sum, token) => sum + (token === UNKNOWN ? 0 : telling(token)), 0)
  return known < KNOWN_SHARE_MIN * telling(text)
}

function telling(text: string): number {
  return text.match(/[\p{L}\p{N}\p{Extended_Pictographic}]/gu)?.length ?? 0
}
