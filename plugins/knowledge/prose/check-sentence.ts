import { denies, lexicons, tellsEnd, unicodeForm, wordSet } from 'mneme/plugin'
import { normalForm, wordsOf } from '../document/wording.ts'

/** Another first word has to be one of the statements', for it could be a name. */
const OPENERS = wordSet(lexicons.SENTENCE_OPENERS)

/** The share of content words that must occur in the statements, compared by their beginnings. */
const OWN_SHARE_MIN = 0.4
const MEANING_CHARS_MIN = 4
const BEGINNING_CHARS = 5

/** The evidence that a sentence is checked against. */
export interface Ground {
  /** Texts that may be said. */
  readonly texts: readonly string[]
  /** Names that may be used besides: the person's. */
  readonly names: readonly string[]
}

/**
 * Tells whether a sentence says nothing that its statements do not: no other name, number or script, no "not" more or
 * less, and mostly their own words. A doubtful one counts as a no.
 */
export function isGrounded(sentence: string, { texts, names }: Ground): boolean {
  const known = new Set([...texts, ...names].flatMap(text => wordsOf(normalForm(text)).flatMap(partsOf)))
  return (
    namesAreKnown(sentence, known) &&
    unspacedIsKnown(sentence, texts) &&
    keepsDenial(sentence, texts) &&
    isMostlyOwn(sentence, known)
  )
}

/**
 * Tells whether the names in what a model makes of a text could be checked: in a text that is mostly of letters without capitals every new
 * word could be a name.
 */
export function isCheckable(text: string): boolean {
  const uncased = text.match(/\p{Lo}/gu)?.length ?? 0
  return uncased * 2 <= (text.match(/\p{L}/gu)?.length ?? 0)
}

/** A compound counts with its parts: "Lovelace's" is said by "Lovelace". */
function partsOf(word: string): string[] {
  return [word, ...word.split(/['’.@/:_-]/).filter(part => part !== '')]
}

/** Words with a capital or a digit; of the first word only the capital could be for another reason. */
function namesAreKnown(sentence: string, known: ReadonlySet<string>): boolean {
  return wordsOf(unicodeForm(sentence, 'NFKC')).every((word, n) => {
    const isName = /\p{Lu}|\p{Lt}/u.test(word)
    const hasDigit = /\p{N}/u.test(word)
    if (!isName && !hasDigit) return true
    const lower = word.toLowerCase().replace(/['’]s?$/, '')
    if (known.has(lower) || known.has(word.toLowerCase())) return true
    return n === 0 && !hasDigit && OPENERS.has(lower)
  })
}

/** Letters without capitals could be of any name, so they must stand in the statements as they are. */
function unspacedIsKnown(sentence: string, texts: readonly string[]): boolean {
  const runs = (unicodeForm(sentence, 'NFKC').match(/[\p{Lo}\p{M}ー]+/gu) ?? []).filter(run => /\p{Lo}/u.test(run))
  const all = texts.map(text => unicodeForm(text, 'NFKC'))
  return runs.every(run => all.some(text => text.includes(run)))
}

/** A "not" neither comes nor goes, and what is over stays so: "gave up coffee" may become "no longer drinks coffee". */
function keepsDenial(sentence: string, texts: readonly string[]): boolean {
  const isOver = texts.some(tellsEnd)
  if (denies(sentence)) return isOver || texts.some(denies)
  return !texts.some(denies) && (!isOver || tellsEnd(sentence))
}

function isMostlyOwn(sentence: string, known: ReadonlySet<string>): boolean {
  const meaning = wordsOf(normalForm(sentence)).filter(word => word.length >= MEANING_CHARS_MIN)
  if (meaning.length === 0) return true
  const beginnings = new Set([...known].map(word => word.slice(0, BEGINNING_CHARS)))
  const own = meaning.filter(word => known.has(word) || beginnings.has(word.slice(0, BEGINNING_CHARS)))
  return own.length >= meaning.length * OWN_SHARE_MIN
}
