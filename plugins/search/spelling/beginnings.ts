/**
 * Lists the beginnings of words, mostly of three letters, from which this one may come by a typing error. An error in the first letters leads
 * to another place in the dictionary, so each kind of error has its own beginnings: changed, omitted, added and swapped letters. A beginning
 * with an unknown letter stands for every letter of the word's script.
 *
 * @param word at least four letters
 */
export function beginningsOf(word: string): string[] {
  const [first = '', second = '', third = '', fourth = ''] = Array.from(word)
  const beginnings = [
    ...(isComplete(first) ? [] : [first + second]),
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

/** The letter blocks of alphabetic scripts, after folding; languages of some write further letters, which stand elsewhere. */
const ALPHABETS: readonly { readonly first: string; readonly last: string; readonly isComplete: boolean }[] = [
  { first: 'a', last: 'z', isComplete: true },
  { first: 'α', last: 'ω', isComplete: true },
  { first: 'а', last: 'я', isComplete: false },
  { first: 'ա', last: 'ֆ', isComplete: true },
  { first: 'א', last: 'ת', isComplete: true },
  { first: 'ء', last: 'ي', isComplete: false },
]

function blockOf(letter: string) {
  return ALPHABETS.find(({ first, last }) => letter >= first && letter <= last)
}

/** Where it is not, a beginning of two letters finds what the others miss, as far as its words are not too many. */
function isComplete(letter: string): boolean {
  return blockOf(letter)?.isComplete === true
}

function alphabetOf(letter: string): string[] {
  const block = blockOf(letter)
  if (!block) return []
  const [from = 0, to = -1] = [block.first, block.last].map(edge => edge.codePointAt(0) ?? 0)
  return Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))
}
