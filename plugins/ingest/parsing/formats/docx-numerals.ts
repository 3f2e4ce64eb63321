const ROMAN = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
] as const
const LETTERS = 26

/** Writes a number in a format of Word's lists (ECMA-376, ST_NumberFormat). Formats of single languages are written in digits. */
export function numeral(count: number, format: string): string {
  if (format === 'lowerLetter') return letters(count)
  if (format === 'upperLetter') return letters(count).toUpperCase()
  if (format === 'lowerRoman') return roman(count)
  if (format === 'upperRoman') return roman(count).toUpperCase()
  return format === 'decimalZero' ? String(count).padStart(2, '0') : String(count)
}

/** After z come aa, bb and so on. */
function letters(count: number): string {
  if (count < 1 || count > LETTERS * 10) return String(count)
  return String.fromCharCode(97 + ((count - 1) % LETTERS)).repeat(Math.ceil(count / LETTERS))
}

function roman(count: number): string {
  if (count < 1 || count > 3999) return String(count)
  let [text, left] = ['', count]
  for (const [sign, value] of ROMAN) {
    text += sign.repeat(Math.floor(left / value))
    left %= value
  }
  return text
}
