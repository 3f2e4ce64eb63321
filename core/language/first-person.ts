import { FIRST_PERSON } from './lexicons/first-person.ts'
import { wordsOf } from './word-set.ts'

/**
 * Finds the first word by which the speaker of a text means himself.
 * @param language a primary tag; without it, or for one without a list, the words of all languages count
 * @returns its place in UTF-16 units, `end` exclusive; undefined when there is none
 */
export function firstPersonIn(text: string, language?: string): { start: number; end: number } | undefined {
  const match = (PATTERNS.get(language ?? '') ?? ALL).exec(text)
  return match ? { start: match.index, end: match.index + match[0].length } : undefined
}

const PATTERNS = new Map(Object.entries(FIRST_PERSON).map(([language, words]) => [language, patternOf(words)]))
const ALL = patternOf(wordsOf(FIRST_PERSON))

function patternOf(words: readonly string[]): RegExp {
  const alternatives = [...new Set(words)].toSorted((a, b) => b.length - a.length).map(alternativeOf)
  return new RegExp(`(?<![\\p{L}\\p{M}'’])(?:${alternatives.join('|')})`, 'iu')
}

/** An elided word ("j'") goes right before another; after any other no letter follows. */
function alternativeOf(word: string): string {
  const pattern = word.replace(/-$/, '\\p{L}{0,4}').replaceAll("'", "['’]")
  return word.endsWith("'") ? pattern : `${pattern}(?![\\p{L}\\p{M}])`
}
