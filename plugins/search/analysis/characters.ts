/**
 * What a character means to the scanner.
 * - gap: white space, controls, unassigned: ends everything
 * - letter, digit, mark: make up words
 * - dense: scripts that put no space between words, or attach particles to them (Chinese, Japanese, Korean)
 * - southeast: the same for Thai, Lao, Khmer, Myanmar and their neighbours
 * - pictograph: emoji
 * - joiner: punctuation that can be part of a token as typed ("worker.ts", "C++", "#tag")
 * - enclosure: brackets and quotes: what they part stays adjacent
 * - separator: every other punctuation or symbol
 */
export const CharacterClass = {
  gap: 1,
  letter: 2,
  digit: 3,
  mark: 4,
  dense: 5,
  southeast: 6,
  pictograph: 7,
  joiner: 8,
  enclosure: 9,
  separator: 10,
} as const

/** The `CharacterClass` of a code point, from a table that fills itself. */
export function characterClass(codePoint: number): number {
  const known = table[codePoint]
  if (known !== undefined && known !== 0) return known
  const found = classify(String.fromCodePoint(codePoint))
  table[codePoint] = found
  return found
}

/** True for Han characters, whose single form is often a word. */
export function isHan(codePoint: number): boolean {
  return (codePoint >= 0x3400 && codePoint < 0xa000) || (codePoint >= 0x20000 && codePoint < 0x40000)
}

const table = new Uint8Array(0x110000)

const ASCII_JOINERS = "._-/\\:@#+&'~=?%*$^!"
const ENCLOSURES = '()[]{}<>"`\u0f0b\u0f0c'
const DENSE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{sc=Yiii}]/u
const SOUTHEAST =
  /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tale}\p{sc=Talu}\p{sc=Lana}\p{sc=Java}\p{sc=Bali}]/u
const PICTOGRAPH = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u

function classify(character: string): number {
  if (ASCII_JOINERS.includes(character)) return CharacterClass.joiner
  if (ENCLOSURES.includes(character)) return CharacterClass.enclosure
  if (/\p{Nd}/u.test(character)) return CharacterClass.digit
  if (/[\p{L}\p{M}\p{Nl}]/u.test(character)) {
    if (DENSE.test(character)) return CharacterClass.dense
    if (SOUTHEAST.test(character)) return CharacterClass.southeast
    return /\p{M}/u.test(character) ? CharacterClass.mark : CharacterClass.letter
  }
  if (/\p{N}/u.test(character)) return CharacterClass.digit
  if (PICTOGRAPH.test(character)) return CharacterClass.pictograph
  if (/\p{Sc}/u.test(character)) return CharacterClass.joiner
  if (/[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/u.test(character)) return CharacterClass.enclosure
  return /[\p{P}\p{S}]/u.test(character) ? CharacterClass.separator : CharacterClass.gap
}
