/**
 * This token stands for everything outside the vocabulary: most scripts but Latin, and pictures. A run without spaces
 * is one, however long.
 */
export const UNKNOWN = '[UNK]'
/** At least this share of a text's meaningful characters has to be in tokens. */
const KNOWN_SHARE_MIN = 1 / 3

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
