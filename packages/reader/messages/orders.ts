import { its, readEnglish } from '../facts/units.ts'
import { lexicons, questionWords, wordingPattern, wordSet } from '../index.ts'
import { BASE_VERBS_IN_ED, PAST_VERBS } from '../lexicons/grammar.ts'

interface Token {
  readonly text: string
  readonly lower: string
  readonly pos: string
  /** In its base form. */
  readonly isBase: boolean
}

/**
 * Tells whether an English sentence orders something: it begins with the base form of a verb and names no subject ("Check why CI fails"). Words that
 * are nouns as well are tried behind "you will"; where a finite verb follows, they were the subject ("Work starts at nine").
 */
export function givesEnglishOrder(sentence: string): boolean {
  const rest = withoutLeads(sentence)
  const [first, next, ...more] = tokensOf(`${SUBJECT} ${uncapitalized(rest)}`).slice(SUBJECT_TOKENS)
  if (!first || STATES.has(first.lower) || !/^\p{L}+$/u.test(first.text) || isSpeaker(first) || isSpeaker(next))
    return false
  if (next === undefined) return first.pos === 'VERB' && first.isBase
  const hasObject = OBJECT_OPENERS.has(next.pos)
  if (HABIT.test(rest) && !hasObject) return false
  if (SAME_IN_PAST.has(first.lower) && (PAST_TIME.test(rest) || more.some(({ lower }) => PAST.has(lower)))) return false
  if (first.pos !== 'VERB' || !first.isBase) return isUnknownVerb(first, next)
  if (next.pos === 'DET' || ASKING.has(next.lower)) return true
  if (next.pos === 'PRON') return !isSubject(more[0])
  if (next.pos === 'CCONJ') return more[0]?.pos === 'VERB' && more[0].isBase
  if (!/[\p{L}\p{N}]/u.test(next.text)) return false
  if (next.pos === 'PROPN') return more[0]?.pos !== 'PUNCT' && !hasFiniteVerb(more)
  // "Lunch with Sam on Friday" and "Weight 84 kg" are notes.
  return tokensOf(uncapitalized(rest))[0]?.pos === 'VERB' && !hasFiniteVerb([next, ...more])
}

function isSpeaker(token: Token | undefined): boolean {
  return token !== undefined && SPEAKERS.has(token.lower)
}

const SPEAKERS = wordSet(lexicons.SPEAKERS)

function isSubject(verb: Token | undefined): boolean {
  return verb?.pos === 'AUX' || (verb?.pos === 'VERB' && !verb.isBase)
}
const SUBJECT = 'you will'
const SUBJECT_TOKENS = 2
const LEADS_MAX = 3
const OBJECT_OPENERS: ReadonlySet<string> = new Set(['DET', 'PRON'])
const LEADS = wordSet(lexicons.ORDER_LEADS)
const STATES = wordSet(lexicons.NO_ORDERS)
const SAME_IN_PAST = wordSet(lexicons.SAME_IN_PAST)
const PAST_TIME = wordingPattern(lexicons.PAST_TIMES)
const HABIT = wordingPattern(lexicons.HABITS)
const ASKING = new Set(questionWords(['en']))
const CONJUNCTIONS: ReadonlySet<string> = new Set([...ASKING, ...lexicons.SUBORDINATING_CONJUNCTIONS])

/** A word that the dictionary lacks, or has as another part of speech, right before a determiner: no noun stands there. */
function isUnknownVerb(first: Token, next: Token | undefined): boolean {
  return (first.pos === 'NOUN' || first.pos === 'ADJ') && first.isBase && next?.pos === 'DET'
}

/** Behind nouns for several a verb in its base form is finite as well, but not behind "to". */
function hasFiniteVerb(tokens: readonly Token[]): boolean {
  for (const [n, { lower, pos }] of tokens.entries()) {
    if (pos === 'PUNCT' || pos === 'CCONJ' || pos === 'SCONJ' || CONJUNCTIONS.has(lower)) return false
    if (pos === 'AUX' || (pos === 'VERB' && !lower.endsWith('ing') && tokens[n - 1]?.pos !== 'PART')) return true
  }
  return false
}

function withoutLeads(sentence: string): string {
  let rest = sentence.trim()
  for (let n = 0; n < LEADS_MAX; n++) {
    const word = /^(\p{L}+)[\s,:]+/u.exec(rest)
    if (!word?.[1] || !LEADS.has(word[1].toLowerCase())) break
    rest = rest.slice(word[0].length)
  }
  return rest
}

/** An abbreviation keeps its capitals. */
function uncapitalized(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}

/** Forms that are written as another's base form count as base forms. */
function isBaseForm(lower: string): boolean {
  return IN_ED.has(lower) || !(PAST.has(lower) || INFLECTED.test(lower))
}

const IN_ED = wordSet(BASE_VERBS_IN_ED)
const PAST = wordSet(PAST_VERBS)
const INFLECTED = /(?:ed|ing|[^su]s)$/u

function tokensOf(text: string): Token[] {
  const tokens = readEnglish(text).tokens()
  const [texts, parts] = [tokens.out(), tokens.out(its.pos)]
  return texts.map((text, n) => {
    const lower = text.toLowerCase()
    return { text, lower, pos: parts[n] ?? 'X', isBase: isBaseForm(lower) }
  })
}
