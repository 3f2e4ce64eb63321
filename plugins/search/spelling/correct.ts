import type { Tx } from 'mneme/plugin'
import { coverOf } from '../analysis/dense.ts'
import { foldWord } from '../analysis/normalize.ts'
import type { CandidateSet, EngineQuery, SearchEngine } from '../engine/engine.ts'
import type { QueryPlan } from '../query-plan.ts'
import { nearWords, type UnknownWord } from './near-words.ts'
import { areVariants, ordinaryWords } from './ordinary-words.ts'

/** Unknown words of one query that are looked at, the first ones. */
const WORDS_MAX = 4
const UNCUT_MAX = 20

/**
 * Asks again with the words that may be meant where no text of the workspace holds one of the query: errors in typing. What was
 * typed comes first, so nothing is added for a word that occurs, and nothing in the modes that go by exact words or by
 * meaning alone.
 */
export async function corrected(
  tx: Tx,
  engine: SearchEngine,
  plan: QueryPlan,
  query: EngineQuery,
  set: CandidateSet,
): Promise<{ query: EngineQuery; set: CandidateSet }> {
  if (plan.mode !== 'hybrid') return { query, set }
  const unknown = wordsOf(plan).filter(({ stem }) => (set.corpus.documentFrequency.get(stem) ?? 0) === 0)
  const found = unknown.length > 0 ? await lookUp(tx, query.workspaceId, unknown.slice(0, WORDS_MAX)) : []
  const corrections = new Map([...found.filter(([, words]) => words.length > 0), ...uncut(plan, set)])
  if (corrections.size === 0) return { query, set }
  const again: EngineQuery = { ...query, corrections }
  return { query: again, set: await engine.candidates(tx, again, set) }
}

/** An ordinary word is typed right, whatever the texts hold: "June" is no "tune". Only another spelling of it can be meant. */
async function lookUp(tx: Tx, workspaceId: string, words: readonly UnknownWord[]) {
  const ordinary = await ordinaryWords()
  return Promise.all(
    words.map(async word => {
      const isMeant = ordinary.has(word.surface) ? (near: string) => areVariants(word.surface, near) : undefined
      return [word.stem, await nearWords(tx, workspaceId, word, isMeant)] as const
    }),
  )
}

/** Written without spaces, and cut into words by a dictionary that cuts a query unlike the text around it. */
const CUT_BY_DICTIONARY = /^[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{M}]{2,}$/u

/** Words that no text was cut into stand for their pairs of letters, which every text with them holds. */
function uncut({ terms }: QueryPlan, { corpus }: CandidateSet): [string, string[]][] {
  return terms
    .filter(term => CUT_BY_DICTIONARY.test(term) && (corpus.documentFrequency.get(term) ?? 0) === 0)
    .slice(0, UNCUT_MAX)
    .map(term => [term, coverOf(term).map(({ text }) => text)])
}

/** The query's plain words; identifiers, quotations and scripts without spaces are taken as they stand. */
function wordsOf({ query, terms }: QueryPlan): UnknownWord[] {
  const counted = new Set(terms)
  return query.clauses
    .filter(clause => !clause.excluded)
    .flatMap(clause => clause.terms)
    .flatMap(({ text, quoted, steps, ranked }) => {
      const [stem] = ranked
      const surface = foldWord(text)
      const plain = !quoted && steps.length === 1 && steps[0]?.typed === false && /^\p{L}[\p{L}\p{M}]*$/u.test(surface)
      return plain && stem !== undefined && counted.has(stem) ? [{ surface, stem }] : []
    })
}
