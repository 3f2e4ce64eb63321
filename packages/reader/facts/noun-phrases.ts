import { lexicons, wordSet } from '../index.ts'
import type { Frame } from './frame.ts'
import type { Language, Mention } from './parts.ts'

const ARTICLES = wordSet(lexicons.NOUN_OPENERS)
const POSSESSIVES = wordSet(lexicons.POSSESSIVES)
const STOPS = wordSet(lexicons.NOUN_STOPS)
const WHICH = wordSet(lexicons.TIME_DETERMINERS)
const TIMES = wordSet(lexicons.TIME_NOUNS)
const FANS = wordSet(lexicons.FAN_NOUNS)
const JOINS = wordSet(lexicons.NOUN_LINKS)
const COMPLEMENTS = wordSet(lexicons.NOUN_COMPLEMENTS)
const EMPTY = wordSet(lexicons.EMPTY_NOUNS)
const OBJECTS = wordSet(lexicons.OBJECTS_OF_VERBS)

/** Confidence of a liking whose object is a common noun. */
export const NOUN_CONFIDENCE = 0.6
const WORDS_MAX = 4
const LIST_MAX = 4

/** Common nouns from the piece at `index` on: "dark chocolate and old films". Names are left to patterns. */
export function nounPhrases(frame: Frame, index: number, language: Language): Mention[] {
  const phrases: Mention[] = []
  let at = index
  // "Likes: dark mode, jazz": after a colon commas are enough.
  const isList = frame.pieces[index - 1]?.unit.lower === ':'
  if (POSSESSIVES.has(frame.pieces[at]?.unit.lower ?? '')) return []
  while (phrases.length < LIST_MAX) {
    while (ARTICLES.has(frame.pieces[at]?.unit.lower ?? '')) at++
    // "took up chess and love it" goes on with a verb.
    if (phrases.length > 0 && OBJECTS.has(frame.pieces[at + 1]?.unit.lower ?? '')) break
    const { mention } = frame.pieces[at] ?? {}
    const named = phrases.length > 0 || isList ? mention : undefined
    const end = named ? at + 1 : phraseEnd(frame, at, language, isList)
    const phrase = named ?? (end > at ? phraseOf(frame, at, end, language) : undefined)
    if (!phrase) break
    phrases.push(phrase)
    const link = frame.pieces[end]?.unit.lower ?? ''
    if (!JOINS.has(link) && !(link === ',' && (isList || JOINS.has(laterLink(frame, end))))) break
    at = end + 1
    if (link === ',' && JOINS.has(frame.pieces[at]?.unit.lower ?? '')) at++
  }
  return phrases
}

/** The common noun that pieces make, without its article. */
export function phraseBetween(frame: Frame, from: number, to: number): Mention | undefined {
  let start = from
  while (start < to && ARTICLES.has(frame.pieces[start]?.unit.lower ?? '')) start++
  return start < to ? phraseOf(frame, start, to, 'en') : undefined
}

function laterLink(frame: Frame, comma: number): string {
  for (let i = comma + 1; i < comma + 2 + WORDS_MAX; i++) {
    const word = frame.pieces[i]?.unit.lower ?? ''
    if (JOINS.has(word)) return word
    if (STOPS.has(word) && word !== ',') return ''
  }
  return ''
}

function phraseEnd(frame: Frame, start: number, language: Language, isList: boolean): number {
  let at = start
  for (; at < frame.pieces.length && at - start <= WORDS_MAX; at++) {
    const piece = frame.pieces[at]
    if (!piece || STOPS.has(piece.unit.lower) || JOINS.has(piece.unit.lower) || FANS.has(piece.unit.lower)) break
    if (WHICH.has(piece.unit.lower) && TIMES.has(frame.pieces[at + 1]?.unit.lower ?? '')) break
    if (piece.mention && language !== 'de') break
    if (
      language === 'en' &&
      !isList &&
      at > start &&
      /^(?:VERB|AUX|ADV|PRON|DET)$/.test(piece.unit.pos) &&
      !/(?:ing|ed)$/.test(piece.unit.lower)
    )
      break
  }
  // "el tráfico de Lima": what leads to a name is no part of the noun.
  while (at > start && COMPLEMENTS.has(frame.pieces[at - 1]?.unit.lower ?? '')) at--
  return at
}

function phraseOf(frame: Frame, start: number, end: number, language: Language): Mention | undefined {
  const first = frame.pieces[start]
  const last = frame.pieces[end - 1]
  if (!first || !last || end - start > WORDS_MAX) return undefined
  const words = frame.pieces.slice(start, end)
  if (language === 'es' && /^\p{L}{3,}(?:ar|er|ir)$/u.test(first.unit.lower) && end > start + 1) return undefined
  const says = words.some(({ unit }) => /^\p{L}{3,}/u.test(unit.text) && !EMPTY.has(unit.lower))
  if (!says || EMPTY.has(first.unit.lower) || !words.every(({ unit }) => /^[\p{L}\p{N}]/u.test(unit.text)))
    return undefined
  const name = words.map(({ unit }) => unit.text).join(' ')
  return { name, start: first.unit.start, end: last.unit.end, type: 'THING', confidence: NOUN_CONFIDENCE }
}
