import chardet from 'chardet'
import { languageScores } from 'mneme/plugin'

const CENTRAL = ['pl', 'cs', 'sk', 'hu', 'sl', 'hr', 'ro', 'sq']

/**
 * Maps encodings to the languages that are written in them, as the HTML Standard does the other way round (13.2.3.2). Where two fit equally
 * well, the first one is meant.
 */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  'windows-1250': CENTRAL,
  'iso-8859-2': CENTRAL,
  'windows-1251': ['ru', 'uk', 'bg', 'be', 'mk', 'sr'],
  'koi8-u': ['ru', 'uk'],
  'windows-1253': ['el'],
  'iso-8859-7': ['el'],
  'windows-1254': ['tr', 'az', 'ku'],
  'windows-1255': ['he'],
  'windows-1256': ['ar', 'fa', 'ur'],
  'windows-1257': ['lt', 'lv', 'et'],
  'windows-1258': ['vi'],
  shift_jis: ['ja'],
  'euc-jp': ['ja'],
  gb18030: ['zh'],
  big5: ['zh'],
  'euc-kr': ['ko'],
}
/** All other languages are written in this one. */
const WESTERN = 'windows-1252'
const OTHERS = new Set(Object.values(LANGUAGES).flat())
/** A character of these takes several bytes, so that a guess by bytes alone tells whether it can be one. */
const WIDE = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr']
/** A text may be not quite this, as one that was cut off. Any language counts then. */
const DAMAGED = 'utf-8'

/** Where half of the words are broken, likeness to a language is chance. */
const BROKEN_WEIGHT = 2

/** A guess is told that leads by less, whose text is less like its language, or has fewer letters: of 174 short texts all wrong ones are. */
const LEAD_MIN = 0.05
const SCORE_MIN = 0.4
const LETTERS_MIN = 12

export interface CharsetGuess {
  readonly charset: string
  /** The text is much likelier so than in any other encoding. */
  readonly isClear: boolean
}

interface Candidate {
  readonly charset: string
  readonly text: string
  readonly score: number
}

/**
 * Finds the encoding in which bytes make the likeliest text: one like a language that is written in it, of words that are whole. Only what
 * stands around bytes beyond ASCII is looked at.
 */
export async function guessCharset(bytes: Uint8Array): Promise<CharsetGuess> {
  const possible = new Set(chardet.analyse(bytes).map(({ name }) => name.toLowerCase()))
  const charsets = [WESTERN, ...Object.keys(LANGUAGES), DAMAGED].filter(
    charset => !WIDE.includes(charset) || possible.has(charset),
  )
  const candidates: Candidate[] = []
  for (const charset of charsets) {
    const text = tellingParts(new TextDecoder(charset).decode(bytes))
    candidates.push({ charset, text, score: (await likeness(text, charset)) - BROKEN_WEIGHT * brokenShare(text) })
  }
  const [best, ...others] = candidates.toSorted((a, b) => b.score - a.score)
  const other = others.find(({ text }) => text !== best?.text)
  if (!best) return { charset: WESTERN, isClear: false }
  const lead = best.score - (other?.score ?? 0)
  const letters = best.text.match(/\p{L}/gu)?.length ?? 0
  return { charset: best.charset, isClear: best.score >= SCORE_MIN && lead >= LEAD_MIN && letters >= LETTERS_MIN }
}

/** The language detector reads no more. */
const TELLING_CHARS_MAX = 1000

function tellingParts(text: string): string {
  let parts = ''
  for (const [part] of text.matchAll(/[^\n\r]{0,60}\P{ASCII}[^\n\r]{0,60}/gu)) {
    parts += `${part}\n`
    if (parts.length >= TELLING_CHARS_MAX) break
  }
  return parts.slice(0, TELLING_CHARS_MAX)
}

/** Returns how like a text is the likeliest of the languages that are written in an encoding, from 0 to 1. */
async function likeness(text: string, charset: string): Promise<number> {
  const scores = Object.entries(await languageScores(text))
  const own = LANGUAGES[charset]
  const isOwn = (language: string) => own?.includes(language) ?? (charset === DAMAGED || !OTHERS.has(language))
  return Math.max(0, ...scores.map(([language, score]) => (isOwn(language) ? score : 0)))
}

const WORD = /[\p{L}\p{M}\p{N}\p{S}\p{C}\u00a0-\u00bf]*(?!\p{ASCII})[\p{L}\p{M}\p{N}\p{S}\p{C}\u00a0-\u00bf]+/gu
/**
 * No writing has these: characters that stand for none, signs in a row, a sign within a word, a lone accent or a capital behind a small
 * letter.
 */
const BROKEN =
  /[\u0080-\u009f\ufffd\p{Cn}\p{Co}]|(?:(?!\p{ASCII})\p{S}){2}|\p{L}(?!\p{ASCII})\p{Sk}|\p{L}[\p{S}\p{No}\u00a0-\u00bf]+\p{L}|\p{Ll}\p{Lu}/u
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
]

/** The share of words beyond ASCII that nobody writes so, from 0 to 1. */
function brokenShare(text: string): number {
  const words = text.match(WORD) ?? []
  const isBroken = (word: string) => BROKEN.test(word) || SCRIPTS.filter(script => script.test(word)).length > 1
  return words.filter(isBroken).length / Math.max(1, words.length)
}
