/**
 * Normalizes a text for scanning: well-formed, NFKC, without invisible characters that do not divide words, with one kind of hyphen and apostrophe. Case and accents
 * stay, because word boundaries ("getUser") depend on them. It runs in linear time on any input and cuts the result at `lengthMax` UTF-16
 * units.
 */
export function normalizeText(text: string, lengthMax = 120_000): string {
  if (isAscii(text)) return text.length > lengthMax ? text.slice(0, lengthMax) : text
  const composed = text
    .slice(0, lengthMax)
    .toWellFormed()
    .replace(NON_JOINERS, '-')
    .replace(INVISIBLE, '')
    .replace(LONG_MARKS, '$1')
    .replace(TRADE_MARKS, '·')
    .normalize('NFKC')
    .replace(TATWEEL, '')
    .replace(HYPHENS, '-')
    .replace(APOSTROPHES, "'")
  return composed.length > lengthMax ? composed.slice(0, lengthMax).toWellFormed() : composed
}

/**
 * Folds a word for comparison: lower case, no accents, one letter for letters that readers treat as equal. Marks that make a different
 * letter stay: the vowel signs of Indic scripts, Cyrillic й and ї.
 *
 * @param word a piece of a normalised text
 */
export function foldWord(word: string): string {
  const lower = word.toLowerCase()
  if (isAscii(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(LATIN_GREEK_ACCENTS, '$1')
    .replace(CYRILLIC_ACCENTS, '$1')
    .replace(OPTIONAL_MARKS, '')
    .normalize('NFC')
    .replace(FOLDED_LETTERS, letter => LETTER_FOLDS.get(letter) ?? letter)
    .replace(/\p{Nd}/gu, digit => decimalValue(digit))
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}

/** The Stream-Safe Text Format allows this many marks in a row. */
const MARKS_MAX = 30

/** Matches a mark, or one of two letters whose compatibility form is one. */
const MARK = '[\\p{M}\\uff9e\\uff9f]'

/** Soft hyphens, zero-width and direction controls, variation selectors, tags and skin tones do not change a word. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]/gu

/**
 * A non-joiner between letters of the Arabic script parts a word from its suffix or prefix, as a hyphen does in other scripts: readers look
 * for the word alone, for both parts, and for them written together.
 */
const NON_JOINERS = /(?<=\p{scx=Arabic})\u200c(?=\p{scx=Arabic})/gu

/** Normalisation sorts a run of combining marks in quadratic time, so runs that no real text has are cut first. */
const LONG_MARKS = new RegExp(`(${MARK}{${MARKS_MAX}})${MARK}+`, 'gu')

/** NFKC would expand these to letters and glue them to the previous name. */
const TRADE_MARKS = /[\u2120\u2122\u00ae\u00a9]/g
/** A tatweel stretches an Arabic word; alone it would be a word without letters. */
const TATWEEL = /\u0640/g
const HYPHENS = /[\u2010-\u2012\u2212\ufe63\u058a]/g
const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u02b9\u055a\ua78c]/g

const LATIN_GREEK_ACCENTS = /([\p{sc=Latin}\p{sc=Greek}])\p{M}+/gu
const CYRILLIC_ACCENTS = /(\p{sc=Cyrillic})[\u0300\u0301]+|(?<=е)\u0308/gu
/** Hebrew points, Arabic vowel signs, Indic nuktas and keycaps are optional in writing. */
const OPTIONAL_MARKS = /[[\p{sc=Hebrew}\p{scx=Arabic}]&&\p{M}]|\p{Me}|\u093c|\u09bc|\u0a3c|\u0abc|\u0b3c/gv

const LETTER_FOLDS = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ŧ', 't'],
  ['ς', 'σ'],
  ['ى', 'ي'],
  ['ی', 'ي'],
  ['ک', 'ك'],
  ['ہ', 'ه'],
  ['ٱ', 'ا'],
  ['ँ', 'ं'],
])
const FOLDED_LETTERS = new RegExp(`[${[...LETTER_FOLDS.keys()].join('')}]`, 'gu')

/** Every block of decimal digits starts at a multiple of 16, or 6 after one. */
function decimalValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const low = code & 15
  if (code < 128) return digit
  return String(/^\p{Nd}/u.test(String.fromCodePoint(code - low)) ? low : low - 6)
}

/** Puts a text on one line, with single spaces and without control characters. */
export function oneLine(text: string): string {
  return text.split(SPACES).join(' ').trim()
}

const SPACES = /[\s\p{Cc}]+/u

/**
 * Normalizes a text in linear time, whatever it holds. Normalisation sorts a run of combining marks in quadratic time, so longer runs than
 * any writing has are divided as the Stream-Safe Text Format of Unicode does it (UAX #15, section 13); other texts are normalised as ever.
 */
export function unicodeForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(FULL_RUN, '$&\u034f').normalize(form)
}

const FULL_RUN = new RegExp(`${MARK}{${MARKS_MAX}}(?=${MARK})`, 'gu')

/**
 * Removes signs from both ends of a text, in linear time. A pattern such as `/\p{P}+$/u` takes quadratic time, because it reads a run within
 * the text again from each of its characters.
 * @param leading matches one character, and so does `trailing`; neither is global
 */
export function trimSigns(text: string, leading: RegExp, trailing = leading): string {
  const rest = trimEndSigns(text, trailing)
  let start = 0
  while (start < rest.length) {
    const sign = String.fromCodePoint(rest.codePointAt(start) ?? 0)
    if (!leading.test(sign)) break
    start += sign.length
  }
  return rest.slice(start)
}

/** Removes signs from the end of a text, as {@link trimSigns} does. */
export function trimEndSigns(text: string, trailing: RegExp): string {
  let end = text.length
  while (end > 0) {
    const isPair = (text.codePointAt(end - 2) ?? 0) > 0xffff
    const start = end - (isPair ? 2 : 1)
    if (!trailing.test(text.slice(start, end))) break
    end = start
  }
  return text.slice(0, end)
}
