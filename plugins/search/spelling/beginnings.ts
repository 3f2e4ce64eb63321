/**
 * Lists the beginnings of words, of three letters each, from which this one may come by a typing error. An error in the first letters leads
 * to another place in the dictionary, so each kind of error has its own beginnings: changed, omitted, added and swapped letters. A beginning
 * with an unknown letter stands for every letter of the word's script.
 *
 * @param word at least four letters
 */
export function beginningsOf(word: string): string[] {
  const [first = '', second = '', third = '', fourth = ''] = Array.from(word)
  const beginnings = [
    first + second + third,
    first + second + fourth,
    second + first + third,
    first + third + second,
    second + third + fourth,
    first + third + fourth,
    ...alphabetOf(first).flatMap(letter => [
      first + second + letter,
      letter + second + third,
      letter + first + second,
      first + letter + third,
      first + letter + second,
    ]),
  ]
  return [...new Set(beginnings)]
}

/** The letter blocks of alphabetic scripts, after folding. */
const ALPHABETS: readonly (readonly [first: string, last: string])[] = [
  ['a', 'z'],
  ['α', 'ω'],
  ['а', 'я'],
  ['ա', 'ֆ'],
  ['א', 'ת'],
  ['ء', 'ي'],
]

function alphabetOf(letter: string): string[] {
  const alphabet = ALPHABETS.find(([first, last]) => letter >= first && letter <= last)
  if (!alphabet) return []
  const [from = 0, to = -1] = alphabet.map(edge => edge.codePointAt(0) ?? 0)
  return Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))
}
