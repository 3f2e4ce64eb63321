import {
  AFTER_IS,
  AUXILIARIES,
  CONTRACTED_ENDINGS,
  CONTRACTING,
  CONTRACTING_S,
  ELIDED_WORDS,
  WHOLE_CONTRACTIONS,
} from './lexicons/grammar.ts'
import { CLITIC_ENDINGS } from './lexicons/index.ts'
import { wordSet } from './words.ts'

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

/**
 * Returns the words that an English contraction stands for; undefined for another word, and for a contraction with several readings: "he's
 * retired" may mean "is" or "has", and "Ada's" may be a possessive.
 * @param word in lower case, with a straight apostrophe
 * @param next the word after it
 */
export function writtenOut(word: string, next?: string): readonly string[] | undefined {
  const whole = WHOLE.get(word)
  if (whole || !word.includes("'")) return whole
  const [, base = '', ending = ''] = /^(\p{L}+)'(\p{L}+)$/u.exec(word) ?? []
  if (ending === 't' && base.endsWith('n') && TAKING_NOT.has(base.slice(0, -1))) return [base.slice(0, -1), 'not']
  if (ending === 'm') return base === 'i' ? ['i', 'am'] : undefined
  const meant = Object.hasOwn(CONTRACTED_ENDINGS, ending) ? CONTRACTED_ENDINGS[ending] : undefined
  if (meant !== undefined && SUBJECTS.has(base)) return [base, meant]
  return ending === 's' && SUBJECTS_OF_S.has(base) && next !== undefined && followsIs(next) ? [base, 'is'] : undefined
}

function followsIs(word: string): boolean {
  return FOLLOWING_IS.has(word) || (word.length > 4 && word.endsWith('ing'))
}

const WHOLE = new Map(Object.entries(WHOLE_CONTRACTIONS).map(([word, full]) => [word, full.split(' ')]))
const TAKING_NOT = wordSet(AUXILIARIES)
const SUBJECTS = wordSet(CONTRACTING)
const SUBJECTS_OF_S = wordSet(CONTRACTING_S)
const FOLLOWING_IS = wordSet(AFTER_IS)
