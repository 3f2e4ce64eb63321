/**
 * The beginnings that a word can have from which this one came by typing errors. An error in the first letters leads to another
 * place in the dictionary, so each kind has its beginnings: changed, left out, added, swapped. Those with a letter nobody knows
 * stand for every letter of the word's script.
 */
export function beginningsOf(word: string): string[] {
  const [first = '', second = '', third = '', fourth = ''] = Array.from(word)
  const beginnings = [
    first + second,
    second + first + third,
    first + third + second,
    second + third + fourth,
    first + third + fourth,
    ...alphabetOf(first).flatMap(letter => [
      letter + second + third,
      letter + first + second,
      first + letter + third,
      first + letter + second,
    ]),
  ]
  // What the first one covers needs no look of its own.
  return [...new Set(beginnings)].filter((beginning, i) => i === 0 || !beginning.startsWith(first + second))
}

/** Blocks of letters of the scripts with an alphabet, as folding leaves them. */
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
