import { ABBREVIATIONS, ABBREVIATIONS_OF_NUMBERS, ABBREVIATIONS_WITHIN } from './lexicons/grammar.ts'
import { wordsOf } from './words.ts'

/** A sentence of a text, word for word, without the space around it. */
export interface Sentence {
  readonly text: string
  /** Its place in UTF-16 units, `end` exclusive. */
  readonly start: number
  readonly end: number
}

export interface SentenceOptions {
  /** Keeps a closed quotation within the sentence that quotes it, as far as that one is not longer than this many UTF-16 units. */
  readonly quotationsWithin?: number
}

/**
 * Splits a text of any language into sentences, in linear time. A line break ends a sentence: a text whose lines were broken by their
 * width is to be passed through {@link unwrapped} first.
 */
export function sentencesIn(text: string, { quotationsWithin = 0 }: SentenceOptions = {}): Sentence[] {
  const parts: { start: number; end: number }[] = []
  for (const { start: index, end } of segmentsOf(text)) {
    const last = parts.at(-1)
    const goesOn = last && !text.slice(last.start, last.end).endsWith('\n') && isOpen(text, last, quotationsWithin)
    if (goesOn) last.end = end
    else parts.push({ start: index, end })
  }
  return parts.flatMap(({ start, end }) => trimmed(text, start, end))
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Chats begin sentences with small letters, before which the segmenter sees no end. */
function* segmentsOf(text: string): Generator<Part> {
  for (const { segment, index } of segmenter.segment(text)) {
    let start = 0
    for (const stop of segment.matchAll(STOP_BEFORE_SMALL)) {
      const end = stop.index + stop[0].length
      if (WITHIN.test(segment.slice(Math.max(start, end - ABBREVIATION_CHARS_MAX), end))) continue
      yield { start: index + start, end: index + end }
      start = end
    }
    yield { start: index + start, end: index + segment.length }
  }
}

/** After a digit or another stop the sentence goes on: "am 3. mai", "well... ok". */
const STOP_BEFORE_SMALL = /(?<=[\p{L}\p{M})"”])\.\s+(?=\p{Ll})/gu

function trimmed(text: string, start: number, end: number): Sentence[] {
  const part = text.slice(start, end)
  const sentence = part.trim()
  if (sentence === '') return []
  const from = start + part.length - part.trimStart().length
  return [{ text: sentence, start: from, end: from + sentence.length }]
}

interface Part {
  readonly start: number
  readonly end: number
}

/** Tells whether a part ends where the segmenter thinks so, but its sentence does not. */
function isOpen(text: string, { start, end }: Part, quotationsWithin: number): boolean {
  if (isInAddress(text, start, end)) return true
  const tail = text.slice(Math.max(start, end - ABBREVIATION_CHARS_MAX), end)
  if (ABBREVIATION.test(tail)) return true
  if (OF_NUMBER.test(tail) && /\p{N}/u.test(text.charAt(end))) return true
  return end - start <= quotationsWithin && quotationGoesOn(text, start, end, start + quotationsWithin)
}

function isInAddress(text: string, start: number, end: number): boolean {
  const endsOnSign = '.!?'.includes(text.charAt(end - 1)) && /\S/u.test(text.charAt(end))
  return endsOnSign && ADDRESS.test(text.slice(Math.max(start, end - ADDRESS_CHARS_MAX), end))
}

/** The sign within an address ends no sentence ("https://example.org/?page=2"). */
const ADDRESS = /:\/\/\S*[.!?]$/u
const ADDRESS_CHARS_MAX = 200

/** Abbreviations are short, so that not every sentence is read to its end for each of its parts. */
const ABBREVIATION_CHARS_MAX = 16

/** A letter alone is an initial or a part of an abbreviation ("z. B."), except "I". */
const ABBREVIATION = before(['(?!I\\.)[\\p{Lu}\\p{Ll}]', ...wordsOf(ABBREVIATIONS)])
const WITHIN = before(wordsOf(ABBREVIATIONS_WITHIN), 'iu')
const OF_NUMBER = before(wordsOf(ABBREVIATIONS_OF_NUMBERS))

function before(words: readonly string[], flags = 'u'): RegExp {
  const alternatives = words.map(word => word.replaceAll('. ', '\\.\\s?'))
  return new RegExp(`(?:^|[\\s(])(?:${alternatives.join('|')})\\.\\s*$`, flags)
}

const QUOTES = [
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」'],
] as const

function quotationGoesOn(text: string, start: number, end: number, limit: number): boolean {
  const part = text.slice(start, end)
  const [rest = ''] = text.slice(end, limit).split('\n', 1)
  if ((part.match(/"/g)?.length ?? 0) % 2 === 1) return rest.includes('"')
  return QUOTES.some(([open, close]) => part.lastIndexOf(open) > part.lastIndexOf(close) && rest.includes(close))
}

/** Shorter lines end where their writer ended them. */
const WRAPPED_CHARS_MIN = 60

const WRAP = new RegExp(`(?<=[^\\n]{${WRAPPED_CHARS_MIN - 1}}[\\p{L}\\p{N},'’)])\\n(?=\\p{Ll})`, 'gu')

/**
 * Joins the lines that an editor or a mail program broke sentences into, by putting spaces in the place of these
 * breaks, so that all positions in the text stay the same. A long line that ends without a stop, before one that begins
 * in small letters, was broken so.
 */
export function unwrapped(text: string): string {
  return text.includes('\n') ? text.replace(WRAP, ' ') : text
}
