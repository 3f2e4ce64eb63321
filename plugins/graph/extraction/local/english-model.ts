import { held } from 'mneme/plugin'
import model from 'wink-eng-lite-web-model'
import winkNLP, { type Document, type WinkMethods } from 'wink-nlp'

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

/** Kept here, or nobody would count it any more. */
export const newWordsHeld = held({
  name: 'graph.new_words',
  maxBytes: NEW_WORDS_MAX * NEW_WORD_BYTES,
  bytes: () => newWords() * NEW_WORD_BYTES,
  drop: () => {
    isToForget = newWords() > 0
  },
})

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
