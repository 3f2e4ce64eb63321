import { firstPersonIn, sentencesIn } from 'mneme/plugin'
import { CLAUSE_MARK } from '../local/clauses.ts'
import { plain } from './plain.ts'

/** Places that are looked at of words that occur many times. */
const PLACES_MAX = 20

interface Clause {
  /** As {@link plain} writes it, with the space after it. */
  readonly text: string
  readonly sentence: number
  /** Its place among the texts of all clauses. */
  readonly start: number
}

/**
 * Finds the words of a turn by which a quotation in it is judged, once for each of its places. The word after it belongs to them ("Kaffee
 * nicht"), and where it does not say who speaks what goes before it too, back to a clause of its sentence that does: "like coffee" in
 * "I do not like coffee".
 */
export function judgedWords(quote: string, turn: string): string[] {
  const clauses = clausesOf(turn)
  const text = clauses.map(clause => clause.text).join('')
  const words = plain(quote)
  const found: string[] = []
  for (let at = text.indexOf(words); at !== -1 && found.length < PLACES_MAX; at = text.indexOf(words, at + 1)) {
    const end = at + words.length
    const last = clauses.findLast(({ start }) => start < end)
    const rest = last ? text.slice(end, last.start + last.text.length) : ''
    const start = firstPersonIn(words) ? at : startBefore(clauses, at)
    found.push(text.slice(start, end) + (/^\s*\S+/.exec(rest)?.[0] ?? ''))
  }
  return found.length > 0 ? found : [words]
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
