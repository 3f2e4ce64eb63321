import model from 'wink-eng-lite-web-model'
import winkNLP, { type Document, type WinkMethods } from 'wink-nlp'
import { sentencesIn, unwrapped } from '../index.ts'

/** A word or a sign of punctuation. */
export interface Unit {
  readonly text: string
  readonly lower: string
  readonly start: number
  readonly end: number
  /** Part of speech as English reads it. */
  readonly pos: string
}

/**
 * Tells whether the English dictionary has the word, or the one that it is the plural or the past of; names are not in
 * it.
 */
export function isEnglishWord(lower: string): boolean {
  return (
    isInDictionary(lower) ||
    (/[^s]s$/.test(lower) && isInDictionary(lower.slice(0, -1))) ||
    (/.{3}ed$/.test(lower) && (isInDictionary(lower.slice(0, -1)) || isInDictionary(lower.slice(0, -2))))
  )
}

/** A clitic stays a word of its own ("I" + "'m", "l'" + "été"); a name keeps what is inside it ("O'Connor", "Node.js"). */
const UNIT =
  /\b(?:[jldnsmtc]|qu|aujourd)['’](?=\p{L})|['’](?:s|m|re|ve|ll|d)\b|(?:Dr|Mrs?|Ms|Prof|St|Sra?|Mme|Mt)\.(?=\s)|(?<=\p{Lu}\p{Ll}{1,20}\s)\p{Lu}\.(?=\s\p{Lu}\p{Ll})|\.NET\b|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_]|['’](?!(?:s|m|re|ve|ll|d)\b)(?=\p{L})|[.\-&+/](?=[\p{L}\p{N}]))*(?:\+\+|#(?!\p{L}))?|[^\s]/giu

/** Longest piece that is read at once; longer lines are cut, so that no text costs more than its length. */
const LINE_MAX = 1_000

/** Sentences of a text, each as its units, read as they are asked for; a line break ends one, but where only the width broke it. */
export function* sentencesOf(text: string): Generator<Unit[]> {
  const whole = unwrapped(text)
  for (const line of linesOf(whole)) yield* unitsOf(whole.slice(line.start, line.end), line.start)
}

function* linesOf(text: string): Generator<{ start: number; end: number }> {
  let start = 0
  while (start < text.length) {
    const newline = text.indexOf('\n', start)
    let end = newline === -1 ? text.length : newline
    if (end - start > LINE_MAX) {
      const space = text.lastIndexOf(' ', start + LINE_MAX)
      end = space > start ? space : start + LINE_MAX
    }
    yield { start, end }
    start = Math.max(end, start + 1)
    if (end === newline) start = end + 1
  }
}

function unitsOf(line: string, offset: number): Unit[][] {
  const read = partsOfSpeech(line)
  const starts = new Set(sentencesIn(line).map(one => one.start))
  const sentences: Unit[][] = []
  let sentence: Unit[] = []
  let token = 0
  for (const match of line.matchAll(UNIT)) {
    const start = match.index
    const end = start + match[0].length
    while (token + 1 < read.length && (read[token + 1]?.start ?? 0) <= start) token++
    if (starts.has(start) && sentence.length > 0) {
      sentences.push(sentence)
      sentence = []
    }
    const text = match[0]
    const lower = text.toLowerCase().replaceAll('’', "'")
    sentence.push({ text, lower, start: offset + start, end: offset + end, pos: read[token]?.pos ?? 'X' })
  }
  if (sentence.length > 0) sentences.push(sentence)
  return sentences
}

/** Locates the library's tokens in the line, with their part of speech. */
function partsOfSpeech(line: string): { start: number; pos: string }[] {
  const doc = readEnglish(line)
  const tokens = doc.tokens().out()
  const parts = doc.tokens().out(its.pos)
  let at = 0
  return tokens.flatMap((token, i) => {
    const start = line.indexOf(token, at)
    if (start === -1) return []
    at = start + token.length
    return [{ start, pos: parts[i] ?? 'X' }]
  })
}

/**
 * The library keeps every word that it has not met before, in tables that it never shortens. From this many new words on, they are
 * forgotten before the next text is read: 10,000 take some 7 MB, and starting afresh takes some ten milliseconds.
 */
const NEW_WORDS_MAX = 10_000
const NEW_WORD_BYTES = 700

/** A table of the model: values by number and numbers by value. New values are appended. */
interface FeatureTable {
  readonly list: string[]
  readonly hash: Record<string, number>
  index: number
}

/**
 * Every instance shares parts that are loaded once. The package loads them again for each instance otherwise, and turns the patterns
 * of custom entities into JSON each time, its own earlier JSON included: their size doubled with every instance.
 */
const dictionary = loadDictionary()
const customEntities: unknown = typeof model.metaCER === 'function' ? model.metaCER() : undefined
const tables = Object.values(dictionary.features).filter(isFeatureTable)
const originalSizes = tables.map(({ list }) => list.length)
const words = dictionary.features.lexeme
const dictionarySize = words.list.length

let nlp = createInstance()

/** They are forgotten before the next text, since a document may be in use. */
let isToForget = false

/** The bytes of new words, for a process that counts what it holds. */
export const newWordsHeld = {
  maxBytes: NEW_WORDS_MAX * NEW_WORD_BYTES,
  bytes: (): number => newWords() * NEW_WORD_BYTES,
  drop(): void {
    isToForget = newWords() > 0
  },
}

function createInstance(): WinkMethods {
  return winkNLP({ ...model, core: () => dictionary, metaCER: () => customEntities }, ['sbd', 'pos'])
}

/** Reads a text as English: tokens with their parts of speech, and sentences. The document is valid until the next call. */
export function readEnglish(text: string): Document {
  if (isToForget || newWords() > NEW_WORDS_MAX) forgetNewWords()
  return nlp.readDoc(text)
}

/** The values that a document is asked for. */
export const { its } = nlp

/** Tells whether the English dictionary has the word as it stands; names are not in it. */
export function isInDictionary(word: string): boolean {
  const id: unknown = readEnglish(word).tokens().itemAt(0)?.out(its.uniqueId)
  return typeof id === 'number' && id < dictionarySize
}

/** Counts the words beyond the dictionary's that are kept right now. */
export function newWords(): number {
  return words.list.length - dictionarySize
}

/** Cuts the tables back to the dictionary. An instance has more of each new word in tables that cannot be reached, so it goes too. */
function forgetNewWords(): void {
  isToForget = false
  tables.forEach((table, i) => {
    const size = originalSizes[i] ?? 0
    for (const value of table.list.splice(size)) delete table.hash[value]
    table.index = size
  })
  nlp = createInstance()
}

interface Dictionary {
  readonly features: { readonly lexeme: FeatureTable; readonly [name: string]: unknown }
}

/** The package declares no types for its parts, so what is used of them is checked once. */
function loadDictionary(): Dictionary {
  const loaded: unknown = typeof model.core === 'function' ? model.core() : undefined
  if (!isDictionary(loaded))
    throw new Error('wink-eng-lite-web-model does not hold the tables that this version is written for')
  return loaded
}

function isDictionary(value: unknown): value is Dictionary {
  const features: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'features') : undefined
  return typeof features === 'object' && features !== null && isFeatureTable(Reflect.get(features, 'lexeme'))
}

function isFeatureTable(feature: unknown): feature is FeatureTable {
  return (
    typeof feature === 'object' &&
    feature !== null &&
    Array.isArray(Reflect.get(feature, 'list')) &&
    typeof Reflect.get(feature, 'hash') === 'object' &&
    typeof Reflect.get(feature, 'index') === 'number'
  )
}
