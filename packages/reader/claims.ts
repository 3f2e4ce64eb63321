import { writtenOut } from './clitics.ts'
import {
  AGED,
  DENIAL_BLURRING_WORDS,
  SINGLE_VALUES,
  TODAY_ENDINGS,
  VALUE_ADJECTIVES,
  VALUE_OWNERS,
} from './lexicons/grammar.ts'
import { wordingPattern, wordSet } from './words.ts'

/** A statement's aspect and its value for it: two statements of one aspect with different values cannot both hold. */
export interface Claim {
  readonly aspect: string
  readonly value: string
}

/**
 * Reads a short English statement as a claim: what somebody has one of ("my phone number is …"), or that something is so or is not ("I eat
 * meat", "I don't eat meat anymore"); undefined where it is neither for certain.
 * @param words in lower case, with straight apostrophes
 */
export function claimOf(words: readonly string[]): Claim | undefined {
  const full = words.flatMap((word, n) => writtenOut(word, words[n + 1]) ?? [word])
  return singleOf(full.join(' ')) ?? denialOf(full)
}

const ADJECTIVE = `(?:${VALUE_ADJECTIVES.join('|')})`
const VALUE = new RegExp(
  `^((?:${VALUE_OWNERS.join('|')}|\\p{L}+'s) (?:${ADJECTIVE} )?(?:${wordingPattern(SINGLE_VALUES).source})) (?:is|are) (?:now )?(.+)$`,
  'u',
)
const YEARS = new RegExp(`^(${AGED.join('|')}) (?:now )?(\\d{1,3})(?: years old)?$`)
const BEFORE_ADJECTIVE = new RegExp(`^(\\S+ ?\\S*'s|my) ${ADJECTIVE} `)

function singleOf(words: string): Claim | undefined {
  const [, of, value] = VALUE.exec(words) ?? YEARS.exec(words) ?? []
  if (of === undefined || value === undefined || /^not /.test(value)) return undefined
  return { aspect: `= ${of.replace(BEFORE_ADJECTIVE, '$1 ')}`, value }
}

const BLURRING = wordSet(DENIAL_BLURRING_WORDS)
const TODAY_ENDING = new RegExp(` (?:${TODAY_ENDINGS.join('|')})$`)
const DENIAL_WORDS_MAX = 12

function denialOf(words: readonly string[]): Claim | undefined {
  if (words.length < 2 || words.length > DENIAL_WORDS_MAX || words.some(word => BLURRING.has(word))) return undefined
  const plain = words
    .join(' ')
    .replace(TODAY_ENDING, '')
    .replace(/ no longer /, ' not ')
  const said = plain.replace(/ (?:do |does )?(?:not|never) /, ' ')
  if (/ (?:not|never|no) /.test(` ${said} `)) return undefined
  return { aspect: `? ${said}`, value: said === plain ? 'so' : 'not' }
}
