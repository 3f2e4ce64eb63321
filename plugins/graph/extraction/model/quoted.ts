import { trimEndSigns, trimSigns, UNSPACED_LETTERS, unicodeForm } from 'mneme/plugin'
import type { Span } from '../../contract.ts'

/** Scripts that put no space between words: there a word may begin anywhere. */
const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, 'u')
const LETTER = /[\p{L}\p{N}]/u
/** Particles that are written before a name, in one word with it: Hebrew and Arabic ones of one letter each, and the Arabic article. */
const PREFIX = /^(?:[בהוכלמש]{0,3}|(?=.{0,3}$)[بفكلو]*(?:ال)?)$/u
/** Korean particles behind a name. */
const PARTICLES = /^\p{sc=Hangul}{0,4}$/u
/** The ending of a name's case. */
const ENDING = /^[\p{L}\p{M}]{0,4}$/u
/** A single letter is part of any word. */
const JOINED_MIN = 2
/** A short name with an ending is mostly another name. */
const DECLINED_MIN = 4
/** Bounds the places examined for a word or letter that occurs many times. */
const PLACES_MAX = 1_000
/** Matches one user-perceived character: a composed syllable, a letter with its accents, white space. */
const SIGNS = /[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?|\s+|.\p{M}*/gsu
/** Not seen, and lost when a text is copied. */
const UNSEEN = /^[\u00ad\u200b-\u200d\u2060\ufeff]+/u
const TYPED_ALIKE: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‐': '-',
  '‑': '-',
}

/**
 * A text in which words of a model's are looked up, letter by letter but for what changes when a text is copied: accents in one
 * character or two, the forms of quotation marks and of white space.
 */
export class QuotedText {
  readonly text: string
  readonly #typed: Typed
  #spoken: Typed | undefined

  constructor(text: string) {
    this.text = text
    this.#typed = typed(text)
  }

  /** Finds the words as whole words: "Ann" is not in "Annual". Empty for words that hold neither letter nor digit. */
  places(words: string): Span[] {
    return placesIn(this.#typed, typed(words.trim()).text)
  }

  /**
   * Finds a name where a few other letters stand in one word with it: in Hebrew and Arabic particles before it, in Korean behind it, in
   * languages that decline names an ending ("Budapesten").
   * @param declines true in such a language
   */
  placesInWords(name: string, declines: boolean): Span[] {
    const words = typed(name.trim()).text
    const letters = words.match(/[\p{L}\p{N}]/gu)?.length ?? 0
    if (letters < JOINED_MIN) return []
    return placesIn(this.#typed, words, {
      before: PREFIX,
      behind: declines && letters >= DECLINED_MIN ? ENDING : PARTICLES,
    })
  }

  /** As {@link places}, in capitals or not. */
  placesInAnyCase(words: string): Span[] {
    this.#spoken ??= typed(this.text, sign => sign.toLowerCase())
    return placesIn(this.#spoken, typed(words.trim(), sign => sign.toLowerCase()).text)
  }

  /**
   * Finds a model's quotation, with a capital or a full stop of its own as well; of several places the one nearest to what it
   * is about.
   */
  quotation(quote: string, about: readonly Span[] = []): Span | undefined {
    const bare = trimSigns(quote.trim(), /["“„'‘]/u, /["”'’]/u)
    for (const words of new Set([quote, bare, trimEndSigns(bare, /[.!?…;,]/u)])) {
      for (const places of [this.places(words), this.placesInAnyCase(words)]) {
        if (places.length > 0) return nearest(places, about)
      }
    }
    return undefined
  }
}

/** Each of its units with the place in the text that it stands for. */
interface Typed {
  readonly text: string
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

function typed(text: string, change: (sign: string) => string = sign => sign): Typed {
  const parts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    const plain = change(plainSign(sign))
    parts.push(plain)
    for (let n = 0; n < plain.length; n++) {
      starts.push(index)
      ends.push(index + sign.length)
    }
  }
  return { text: parts.join(''), starts, ends }
}

function plainSign(sign: string): string {
  if (/^\s/u.test(sign)) return ' '
  const composed = unicodeForm(sign.replace(UNSEEN, ''), 'NFC')
  return TYPED_ALIKE[composed] ?? composed
}

/** Letters that may go before the words, and behind them, in one word with them. */
interface Joined {
  readonly before?: RegExp
  readonly behind?: RegExp
}

/** Beyond these no letters are looked at. */
const JOINED_MAX = 8

function placesIn({ text, starts, ends }: Typed, words: string, { before, behind }: Joined = {}): Span[] {
  if (!LETTER.test(words)) return []
  const [first, last] = [firstOf(words), lastOf(words)]
  const places: Span[] = []
  let at = text.indexOf(words)
  for (let looks = 0; at !== -1 && looks < PLACES_MAX; looks++, at = text.indexOf(words, at + 1)) {
    const end = at + words.length
    const [start, stop] = [starts[at], ends[end - 1]]
    const [left, right] = [text.slice(Math.max(0, at - JOINED_MAX), at), text.slice(end, end + JOINED_MAX)]
    const isWhole =
      starts[at - 1] !== start &&
      ends[end] !== stop &&
      (before?.test(WORD_BEFORE.exec(left)?.[0] ?? '') ?? !joins(lastOf(left), first)) &&
      (behind?.test(WORD_BEHIND.exec(right)?.[0] ?? '') ?? !joins(last, firstOf(right)))
    if (isWhole && start !== undefined && stop !== undefined) places.push({ start, end: stop })
  }
  return places
}

const WORD_BEFORE = /[\p{L}\p{M}\p{N}]+$/u
const WORD_BEHIND = /^[\p{L}\p{M}\p{N}]+/u

function nearest(places: readonly Span[], about: readonly Span[]): Span | undefined {
  const distance = (place: Span) => Math.min(...about.map(other => gap(place, other)))
  return places.reduce<Span | undefined>(
    (best, place) => (best && distance(best) <= distance(place) ? best : place),
    undefined,
  )
}

function gap(one: Span, other: Span): number {
  return Math.max(0, other.start - one.end, one.start - other.end)
}

/** True of two characters that stand within one word. */
function joins(before: string, after: string): boolean {
  return LETTER.test(before) && LETTER.test(after) && !UNSPACED.test(before) && !UNSPACED.test(after)
}

function firstOf(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0)
}

function lastOf(text: string): string {
  const pair = text.slice(-2)
  return pair.length === 2 && (pair.codePointAt(0) ?? 0) > 0xffff ? pair : text.slice(-1)
}
