/**
 * Parses the text form of a tsvector, such as `'lexeme':1A,7 'other':3`, into positions by lexeme, without the first `prefixLength`
 * characters of each. Lexemes are quoted, and quotes and backslashes within them are doubled.
 */
export function readPositions(text: string, prefixLength: number): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  let at = 0
  while (text[at] === "'") {
    const end = endOfLexeme(text, at + 1)
    const lexeme = text.slice(at + 1, end).replace(/(['\\])\1/g, '$1')
    at = end + 1
    const places: number[] = []
    let place = 0
    if (text[at] === ':') {
      for (at++; at < text.length && text[at] !== ' '; at++) {
        const digit = text.charCodeAt(at) - 48
        if (digit >= 0 && digit <= 9) place = place * 10 + digit
        else if (text[at] === ',') {
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
  let at = from
  while (at < text.length) {
    if (text[at] !== "'") at++
    else if (text[at + 1] === "'") at += 2
    else return at
  }
  return at
}
