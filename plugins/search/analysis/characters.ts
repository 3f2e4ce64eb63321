/**
 * The classes of characters for the scanner.
 * - gap: white space, controls and unassigned characters end every token
 * - letter, digit, mark: form words
 * - dense: scripts without spaces between words, or with attached particles (Chinese, Japanese, Korean)
 * - southeast: the same for Thai, Lao, Khmer, Myanmar and related scripts
 * - pictograph: emoji
 * - joiner: punctuation that can be part of a token as typed ("worker.ts", "C++", "#tag")
 * - enclosure: brackets and quotes, whose neighbours stay adjacent
 * - separator: every other punctuation mark or symbol
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

/** Returns the `CharacterClass` of a code point from a table that is filled on demand. */
export function characterClass(codePoint: number): number {
  const known = table[codePoint]
  if (known !== undefined && known !== 0) return known
  const found = classify(String.fromCodePoint(codePoint))
  table[codePoint] = found
  return found
}

/** Recognises Han characters, which are often words by themselves. */
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
