const QUOTE = 39
const COMMA = 44
const SPACE = 32
const COLON = 58

/**
 * Parses the text form of a tsvector, such as `'lexeme':1A,7 'other':3`, into positions by lexeme, without the first `prefixLength`
 * characters of each. Lexemes are quoted, and quotes and backslashes within them are doubled.
 */
export function readPositions(text: string, prefixLength: number): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  let at = 0
  while (text.charCodeAt(at) === QUOTE) {
    const end = endOfLexeme(text, at + 1)
    const lexeme = unescaped(text.slice(at + 1, end))
    at = end + 1
    const places: number[] = []
    let place = 0
    if (text.charCodeAt(at) === COLON) {
      for (at++; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (code === SPACE) break
        const digit = code - 48
        if (digit >= 0 && digit <= 9) place = place * 10 + digit
        else if (code === COMMA) {
          places.push(place)
          place = 0
        }
      }
      places.push(place)
    }
    positions.set(lexeme.slice(prefixLength), places)
    at++
  }
  return positions
}

/** Returns the index of the quote that ends a lexeme; a doubled quote is literal. */
function endOfLexeme(text: string, from: number): number {
  let at = text.indexOf("'", from)
  while (at >= 0 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf("'", at + 2)
  return at < 0 ? text.length : at
}

/** Few lexemes contain a quote or a backslash, and a look for either is cheaper than a replacement. */
function unescaped(lexeme: string): string {
  return lexeme.includes("'") || lexeme.includes('\\') ? lexeme.replace(/(['\\])\1/g, '$1') : lexeme
}
