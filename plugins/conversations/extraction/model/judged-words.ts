import { firstPersonIn, lexicons, sentencesIn, wordSet } from 'mneme/plugin'
import { CLAUSE_MARK } from 'text-reader/messages'
import { inCase, plain } from './plain.ts'

/** Places that are looked at of words that occur many times. */
const PLACES_MAX = 20

interface Clause {
  /** As {@link plain} writes it, with the space after it. */
  readonly text: string
  readonly sentence: number
  /** Its place among the texts of all clauses. */
  readonly start: number
}

/** A quotation is judged by these at one of its places. */
export interface JudgedWords {
  readonly words: string
  /** The word after them, which belongs to them where it denies their verb: "Kaffee nicht". */
  readonly next: string
}

/**
 * Finds the words of a turn by which a fact is judged that rests on a quotation in it, once for each place of the quotation. Where that
 * does not say whom it is about, what goes before it belongs to it, back to a clause of its sentence that says who speaks: "like coffee" in
 * "I do not like coffee".
 */
export function judgedWords(fact: string, quote: string, turn: string): JudgedWords[] {
  const clauses = clausesOf(turn)
  const text = clauses.map(clause => clause.text).join('')
  const words = plain(quote)
  const isWhole = hasSubject(fact, quote, turn)
  const found: JudgedWords[] = []
  for (let at = text.indexOf(words); at !== -1 && found.length < PLACES_MAX; at = text.indexOf(words, at + 1)) {
    const end = at + words.length
    const last = clauses.findLast(({ start }) => start < end)
    const rest = last ? text.slice(end, last.start + last.text.length) : ''
    const start = isWhole ? at : startBefore(clauses, at)
    found.push({ words: text.slice(start, end), next: /^\s*\S+/.exec(rest)?.[0] ?? '' })
  }
  return found.length > 0 ? found : [{ words, next: '' }]
}

const PRONOUNS = wordSet(lexicons.THIRD_PERSON_SUBJECTS, lexicons.PLURAL_SUBJECTS)

/** Tells whether a quotation says whom it is about: by who speaks, by a pronoun at its beginning, or by the name that the fact begins with too. */
function hasSubject(fact: string, quote: string, turn: string): boolean {
  if (firstPersonIn(quote)) return true
  const first = firstWord(plain(quote))
  if (PRONOUNS.has(first)) return true
  const isName = /^\p{Lu}/u.test(inCase(quote)) && inCase(turn).includes(inCase(quote))
  return isName && first === firstWord(plain(fact)) && !firstPersonIn(fact)
}

function firstWord(text: string): string {
  return /^[\p{L}\p{M}\p{N}]+/u.exec(text)?.[0] ?? ''
}

function startBefore(clauses: readonly Clause[], at: number): number {
  const own = clauses.findLastIndex(({ start }) => start <= at)
  const { sentence, start = at } = clauses[own] ?? {}
  const speaking = clauses
    .slice(0, own + 1)
    .findLast(clause => clause.sentence === sentence && firstPersonIn(clause.text))
  return speaking?.start ?? start
}

function clausesOf(turn: string): Clause[] {
  const clauses: Clause[] = []
  let start = 0
  for (const [sentence, { text: words, start: from, end: to }] of sentencesIn(turn).entries()) {
    const cuts = [...words.matchAll(CLAUSE_MARK)].map(({ index }) => from + index + 1).filter(cut => cut < to)
    for (const [n, end] of [...cuts, to].entries()) {
      const text = plain(turn.slice(cuts[n - 1] ?? from, end)) + (/\s/.test(turn.charAt(end)) ? ' ' : '')
      clauses.push({ text, sentence, start })
      start += text.length
    }
  }
  return clauses
}
