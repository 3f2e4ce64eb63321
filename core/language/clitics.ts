import { CLITIC_ENDINGS, ELIDED_WORDS } from './lexicons/clitics.ts'

/** Returns a word in lower case without what a straight apostrophe joins to it: "anna's" and "l'anna" give "anna". */
export function withoutClitics(word: string): string {
  return word.replace(ENDING, '').replace(ELIDED, '')
}

const ENDING = new RegExp(`'(?:${CLITIC_ENDINGS.join('|')})$`)
const ELIDED = new RegExp(`^(?:${ELIDED_WORDS.join('|')})'`)
