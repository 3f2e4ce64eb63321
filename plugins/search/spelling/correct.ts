import { foldWord, type Tx } from 'mneme/plugin'
import { coverOf } from '../analysis/dense.ts'
import type { CandidateSet, EngineQuery, SearchEngine } from '../engine/engine.ts'
import { withStatistics } from '../engine/with-statistics.ts'
import type { QueryPlan } from '../query/plan.ts'
import { nearWords, type UnknownWord } from './near-words.ts'
import { areSpellingVariants, ordinaryWords } from './ordinary-words.ts'

/** Only this many unknown words of a query are corrected, the first ones. */
const WORDS_MAX = 4
const UNCUT_MAX = 20

/**
 * Repeats the retrieval with corrected words where no text of the workspace contains a word of the query. The word as typed comes first, so
 * nothing is added for a word that occurs, and nothing in keyword and semantic mode.
 */
export async function withCorrections(
  tx: Tx,
  engine: SearchEngine,
  plan: QueryPlan,
  query: EngineQuery,
  set: CandidateSet,
): Promise<{ query: EngineQuery; set: CandidateSet }> {
  if (plan.mode !== 'hybrid') return { query, set }
  const unknown = wordsOf(plan).filter(({ stem }) => (set.corpus.documentFrequency.get(stem) ?? 0) === 0)
  const found = unknown.length > 0 ? await lookUpCorrections(tx, query.workspaceId, unknown.slice(0, WORDS_MAX)) : []
  const corrections = new Map([...found.filter(([, words]) => words.length > 0), ...letterPairs(plan, set)])
  if (corrections.size === 0) return { query, set }
  const again = await withStatistics(tx, engine, { ...query, corrections })
  return { query: again, set: await engine.candidates(tx, again, set) }
}

/**
 * An ordinary word is typed correctly even if no text contains it: "June" is not a misspelt "tune". Only another spelling of it is looked
 * up.
 */
async function lookUpCorrections(tx: Tx, workspaceId: string, words: readonly UnknownWord[]) {
  const ordinary = await ordinaryWords()
  return Promise.all(
    words.map(async word => {
      const isMeant = ordinary.has(word.surface) ? (near: string) => areSpellingVariants(word.surface, near) : undefined
      return [word.stem, await nearWords(tx, workspaceId, word, isMeant)] as const
    }),
  )
}

/** A dictionary splits these scripts, and it splits a query differently from the surrounding text. */
const CUT_BY_DICTIONARY = /^[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{M}]{2,}$/u

/** Words that no text was split into are replaced by their letter pairs, which every text with them contains. */
function letterPairs({ terms }: QueryPlan, { corpus }: CandidateSet): [string, string[]][] {
  return terms
    .filter(term => CUT_BY_DICTIONARY.test(term) && (corpus.documentFrequency.get(term) ?? 0) === 0)
    .slice(0, UNCUT_MAX)
    .map(term => [term, coverOf(term).map(({ text }) => text)])
}

/** Returns the query's plain words; identifiers, quotations and scripts without spaces are never corrected. */
function wordsOf({ query, terms }: QueryPlan): UnknownWord[] {
  const counted = new Set(terms)
  return query.clauses
    .flatMap(clause => clause.terms)
    .flatMap(({ text, quoted, steps, ranked }) => {
      const [stem] = ranked
      const surface = foldWord(text)
      const plain = !quoted && steps.length === 1 && steps[0]?.typed === false && /^\p{L}[\p{L}\p{M}]*$/u.test(surface)
      return plain && stem !== undefined && counted.has(stem) ? [{ surface, stem }] : []
    })
}
