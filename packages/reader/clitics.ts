import { ELIDED_WORDS } from './lexicons/grammar.ts'
import { CLITIC_ENDINGS } from './lexicons/index.ts'
import { wordSet } from './word-set.ts'

/** Returns a word without what a straight apostrophe joins to it: "anna's" and "l'anna" give "anna". */
export function withoutClitics(word: string): string {
  return word.replace(ENDING, '').replace(ELIDED_BEFORE, '')
}

/** Tells whether a word loses its end before an apostrophe, as "l'" does, in one of some languages that do so (primary tags). */
export function isElided(word: string, languages: readonly string[]): boolean {
  return languages.some(language => Object.hasOwn(ELIDED_WORDS, language)) && ELIDED.has(word.toLowerCase())
}

const ELIDED = wordSet(ELIDED_WORDS)
const ENDING = new RegExp(`'(?:${CLITIC_ENDINGS.join('|')})$`, 'i')
const ELIDED_BEFORE = new RegExp(`^(?:${[...ELIDED].join('|')})'`, 'i')
