import { lexicons, wordSegments } from 'mneme/plugin'

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

/** A piece of text that takes part in the index. */
export interface Atom {
  /** `word`: letters and digits; `dense`, `southeast`: a run of a script without spaces; `pictograph`: one emoji. */
  kind: 'word' | 'dense' | 'southeast' | 'pictograph'
  /** The piece as written (normalised), without a clitic ("'s"). */
  text: string
  /** The clitic in lower case ("'s", "'ll"), or ''. */
  clitic: string
  /** The joiner characters right before it, at most `JOINERS_MAX`. */
  lead: string
  /** The signs after it that belong to it: the "++" of "C++". */
  trail: string
  /**
   * `joined`: only joiners separate it from the previous atom; `near`: also a bracket or quote, or a comma between digits; `apart`: a space
   * or another separator.
   */
  link: 'joined' | 'near' | 'apart'
}

/** Splits a normalised text into its atoms in linear time. */
export function scan(text: string): Atom[] {
  const atoms: Atom[] = []
  let link: Atom['link'] = 'apart'
  let lead = ''
  let at = 0
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    const kind = characterClass(code)
    const content = ATOM_KINDS.get(kind)
    if (kind === CharacterClass.joiner) {
      const end = skipJoiners(text, at)
      if (end - at > JOINERS_MAX || text.startsWith('...', at)) link = 'apart'
      lead = text.slice(Math.max(at, end - JOINERS_MAX), end)
      at = end
    } else if (content !== undefined) {
      const end = endOfAtom(text, at, kind)
      const written = text.slice(at, end)
      const clitic = kind === CharacterClass.letter ? cliticAt(text, end) : ''
      at = end + clitic.length
      atoms.push({ kind: content, text: written, clitic, lead, trail: trailAt(text, at, written), link })
      link = 'joined'
      lead = ''
    } else {
      link = linkAcross(text, at, kind, link)
      lead = ''
      at += characterLength(text, at)
    }
  }
  return atoms
}

/** The bound covers "://" and one more character; longer runs are rules and ornaments. */
const JOINERS_MAX = 4

const ATOM_KINDS = new Map<number, Atom['kind']>([
  [CharacterClass.letter, 'word'],
  [CharacterClass.digit, 'word'],
  [CharacterClass.dense, 'dense'],
  [CharacterClass.southeast, 'southeast'],
  [CharacterClass.pictograph, 'pictograph'],
])

function classAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? characterClass(text.codePointAt(at) ?? 0) : CharacterClass.gap
}

function skipJoiners(text: string, from: number): number {
  let at = from
  while (classAt(text, at) === CharacterClass.joiner) at++
  return at
}

function linkAcross(text: string, at: number, kind: number, link: Atom['link']): Atom['link'] {
  if (kind === CharacterClass.enclosure || kind === CharacterClass.mark) return link === 'apart' ? link : 'near'
  const decimalComma = text[at] === ',' && isDigit(text, at - 1) && isDigit(text, at + 1)
  return decimalComma && link !== 'apart' ? 'near' : 'apart'
}

function endOfAtom(text: string, start: number, kind: number): number {
  if (kind === CharacterClass.pictograph) return endOfPictograph(text, start)
  if (kind === CharacterClass.letter || kind === CharacterClass.digit) return endOfWord(text, start)
  let at = start
  for (;;) {
    const next = classAt(text, at)
    if (next !== kind && next !== CharacterClass.mark) return at
    at += characterLength(text, at)
  }
}

function endOfPictograph(text: string, start: number): number {
  const end = start + characterLength(text, start)
  return isRegional(text, start) && isRegional(text, end) ? end + characterLength(text, end) : end
}

function isRegional(text: string, at: number): boolean {
  const code = text.codePointAt(at) ?? 0
  return code >= 0x1f1e6 && code <= 0x1f1ff
}

/** A word extends over letters, digits and marks, and over the dots and grouping commas of a number or version. */
function endOfWord(text: string, start: number): number {
  let at = start
  let digitsFrom = -1
  let grouped = true
  for (;;) {
    const kind = classAt(text, at)
    if (kind === CharacterClass.digit) {
      if (digitsFrom < 0) digitsFrom = at
    } else if (kind === CharacterClass.letter || kind === CharacterClass.mark) {
      digitsFrom = -1
    } else if (digitsFrom >= 0 && text[at] === '.' && isDigit(text, at + 1)) {
      grouped = false
      digitsFrom = -1
    } else if (digitsFrom >= 0 && grouped && at - digitsFrom <= 3 && isThousands(text, at)) {
      digitsFrom = -1
    } else return at
    at += characterLength(text, at)
  }
}

function isDigit(text: string, at: number): boolean {
  return classAt(text, at) === CharacterClass.digit
}

/** A comma groups a number if exactly three digits follow it. */
function isThousands(text: string, at: number): boolean {
  if (text[at] !== ',' || !isDigit(text, at + 1) || !isDigit(text, at + 2) || !isDigit(text, at + 3)) return false
  return !isDigit(text, at + 4) && classAt(text, at + 4) !== CharacterClass.letter
}

/** Returns the number of UTF-16 units of the character at `at`. */
export function characterLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

/** "'t" is that of "don't". */
const CLITICS = new Set([...lexicons.CLITIC_ENDINGS, 't'].map(ending => `'${ending}`))

function cliticAt(text: string, at: number): string {
  if (text[at] !== "'") return ''
  let end = at + 1
  while (end < at + 4 && classAt(text, end) === CharacterClass.letter) end++
  const clitic = text.slice(at, end).toLowerCase()
  return CLITICS.has(clitic) ? clitic : ''
}

/** Returns the sign that is part of a name or quantity: C++, C#, A+, 10%, 50€. */
function trailAt(text: string, at: number, word: string): string {
  const mark = text[at] ?? ''
  if (mark === '+' && text[at + 1] === '+') return '++'
  const numeric = classAt(text, at - 1) === CharacterClass.digit
  const takes = mark === '+' || mark === '#' || (numeric && (mark === '%' || /\p{Sc}/u.test(mark)))
  if (!takes || word.length > 40) return ''
  const next = classAt(text, at + 1)
  return next === CharacterClass.letter || next === CharacterClass.digit ? '' : mark
}

/** Returns the `CharacterClass` of a code point from a table that is filled on demand. */
export function characterClass(codePoint: number): number {
  const known = table[codePoint]
  if (known !== undefined && known !== 0) return known
  const found = classify(String.fromCodePoint(codePoint))
  table[codePoint] = found
  return found
}

/** Recognises Han characters, which are often words by themselves. */
function isHan(codePoint: number): boolean {
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

/** A character or a pair of characters of a run in a script without spaces. */
interface Gram {
  text: string
  /** The number of characters before it in the run. */
  offset: number
  /** True for a pair, or for the only character of its run; a query for the run requires these. */
  whole: boolean
  /** True if it is distinctive enough to rank by. */
  telling: boolean
}

/**
 * Returns a character of a run and the pair that begins with it, so that any part of the run can be found. Dictionaries split the same words
 * differently in different contexts (and engines); pairs are stable. A combining mark has no entry by itself.
 *
 * @param characters the run in code points
 */
export function gramsAt(characters: readonly string[], offset: number): Gram[] {
  const character = characters[offset]
  if (character === undefined) return []
  const single = characters.length === 1
  const grams: Gram[] = []
  if (single || !isMark(character)) {
    grams.push({ text: character, offset, whole: single, telling: single || isHan(character.codePointAt(0) ?? 0) })
  }
  const next = characters[offset + 1]
  if (next !== undefined) grams.push({ text: character + next, offset, whole: true, telling: true })
  return grams
}

/**
 * Returns the fewest pairs that determine a run: every second one and the last. A single character stands for itself.
 *
 * @returns grams with the distance to the previous one
 */
export function coverOf(run: string): { text: string; offset: number }[] {
  const characters = Array.from(run)
  if (characters.length < 2) return [{ text: run, offset: 0 }]
  const last = characters.length - 2
  const cover: { text: string; offset: number }[] = []
  for (let offset = 0; offset <= last; offset += offset === last - 1 ? 1 : 2) {
    cover.push({ text: characters.slice(offset, offset + 2).join(''), offset })
  }
  return cover
}

/**
 * Splits a run into words by a dictionary, for ranking only. It is used for Thai and related scripts, whose letter
 * pairs are too common to distinguish texts; Chinese, Japanese and Korean rank well by pairs.
 */
export function wordsOf(run: string): { text: string; offset: number }[] {
  const words: { text: string; offset: number }[] = []
  let offset = 0
  for (const { segment, isWord } of wordSegments(run)) {
    const length = Array.from(segment).length
    if (isWord && length > 1) words.push({ text: segment, offset })
    offset += length
  }
  return words
}

function isMark(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  const kind = characterClass(code)
  return kind === CharacterClass.mark || (kind === CharacterClass.southeast && /^\p{M}/u.test(character))
}
