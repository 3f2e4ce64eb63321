import { FIRST_PERSON_KEEPING, FIRST_PERSON_OF_ONE } from './lexicons/grammar.ts'
import { ABBREVIATION_LIKE_WORDS, FIRST_PERSON } from './lexicons/index.ts'
import { wordSet, wordsOf } from './words.ts'

/**
 * Finds the first word by which the speaker of a text means himself. "US" and "ME" in capitals are none, unless all of the text is.
 * @param language a primary tag; without it, or for one without a list, the words of all languages count
 * @returns its place in UTF-16 units, `end` exclusive; undefined when there is none
 */
export function firstPersonIn(text: string, language?: string): { start: number; end: number } | undefined {
  const pattern = PATTERNS.get(listed(language)) ?? ALL
  for (const { 0: word, index } of text.matchAll(pattern))
    if (!isAbbreviation(word) || !SMALL_LETTER.test(text)) return { start: index, end: index + word.length }
  return undefined
}

/** Tells whether somebody who speaks of himself in a language (a primary tag) says so in a word that {@link firstPersonIn} finds. */
export function keepsFirstPerson(language: string): boolean {
  return FIRST_PERSON_KEEPING.includes(listed(language))
}

const SMALL_LETTER = /\p{Ll}/u
const ABBREVIATIONS = wordSet(ABBREVIATION_LIKE_WORDS)

function isAbbreviation(word: string): boolean {
  return word.length > 1 && !SMALL_LETTER.test(word) && ABBREVIATIONS.has(word.toLowerCase())
}

/** Norwegian is told by any of three tags. */
function listed(language = ''): string {
  return language === 'no' || language === 'nn' ? 'nb' : language
}

const TAGS = Object.keys({ ...FIRST_PERSON, ...FIRST_PERSON_OF_ONE })
const PATTERNS = new Map(
  TAGS.map(tag => [tag, patternOf([...(FIRST_PERSON[tag] ?? []), ...(FIRST_PERSON_OF_ONE[tag] ?? [])])]),
)
const ALL = patternOf(wordsOf(FIRST_PERSON))

function patternOf(words: readonly string[]): RegExp {
  const alternatives = [...new Set(words)].toSorted((a, b) => b.length - a.length).map(alternativeOf)
  return new RegExp(`(?<![\\p{L}\\p{M}'’])(?:${alternatives.join('|')})`, 'giu')
}

/** An elided word ("j'") goes right before another; after any other no letter follows. */
function alternativeOf(word: string): string {
  const pattern = word.replace(/-$/, '\\p{L}{0,4}').replaceAll("'", "['’]")
  return word.endsWith("'") ? pattern : `${pattern}(?![\\p{L}\\p{M}])`
}
