import type { SearchMode } from '../../memories/contract.ts'
import type { Candidate, CorpusStatistics } from '../engine/engine.ts'
import { bm25, bm25OfAllTerms, bm25TermMax } from './bm25.ts'
import { type Neighbour, neighboursOf } from './neighbours.ts'
import { prioritySignal } from './priority.ts'
import { recency } from './recency.ts'
import { HIGH_FROM } from './relevance.ts'
import { scoreOf } from './score.ts'

/** What one query asks of its candidates. */
export interface RankingContext {
  readonly mode: SearchMode
  /** Stems to rank by. */
  readonly terms: readonly string[]
  /** Stems that expansion added. */
  readonly related?: readonly string[]
  /** For each clause of the query the alternatives, each the stems a text must have to hold it. */
  readonly clauses: readonly (readonly (readonly string[])[])[]
  readonly corpus: CorpusStatistics
  /** Cosine of texts that have nothing to do with each other. */
  readonly cosineFloor: number
  readonly balance: Balance
  readonly now: Date
}

/** How far age and priority move a result against its relevance: 0.1 lets them change its evidence by a tenth. */
export interface Balance {
  readonly recency: number
  readonly priority: number
}

export const DEFAULT_BALANCE: Balance = { recency: 0.08, priority: 0.12 }

/** A candidate with its score and everything the score was made from: `recompute` gives the same number again. */
export interface Ranked {
  readonly candidate: Candidate
  /** From 0 to 1, comparable within one answer. */
  readonly score: number
  readonly parts: ScoreParts
}

export interface ScoreParts {
  /** BM25 in units of the most a single term can give. */
  readonly words: number
  /** Cosine above that of unrelated texts; 0 without a vector. */
  readonly meaning: number
  /** Evidence of the memory alone. */
  readonly own: number
  /** Evidence of its neighbours in the session. */
  readonly session: number
  readonly neighbours: readonly Neighbour[]
  readonly recency: number
  readonly priority: number
  /** True for a first result that holds every term: its score is at least that of a highly relevant one. */
  readonly lifted: boolean
}

/** What a word that expansion added counts against one of the query. */
export const RELATED_SHARE = 0.3
/** Weight of words against meaning, fitted by hand on conversations left out in turn (see the README). */
const WORDS_WEIGHT = 1.25
/** In keyword mode every result holds every term, so words are measured against a text that holds each once. */
const KEYWORD_WEIGHT = 1.5

/** Orders candidates best first. Pure: the same input gives the same output. */
export function rank(candidates: readonly Candidate[], context: RankingContext): Ranked[] {
  const neighbours = context.mode === 'keyword' ? undefined : neighboursOf(candidates)
  const wordsUnit =
    context.mode === 'keyword' ? bm25OfAllTerms(context.terms, context.corpus) : bm25TermMax(context.corpus)
  const alone = new Map(candidates.map(candidate => [candidate.memoryId, ownParts(candidate, wordsUnit, context)]))
  const ranked = candidates.map(candidate => {
    const around = neighbours?.get(candidate.memoryId) ?? []
    const parts: ScoreParts = {
      ...(alone.get(candidate.memoryId) ?? NO_EVIDENCE),
      session: around.reduce(
        (sum, { memoryId, weight }) => sum + weight * Math.max(0, alone.get(memoryId)?.own ?? 0),
        0,
      ),
      neighbours: around,
      recency: recency(candidate.createdAt, context.now),
      priority: prioritySignal(candidate.priority),
      lifted: false,
    }
    return { candidate, score: recompute(parts, context.balance), parts }
  })
  ranked.sort(byScore)
  return liftFirst(ranked, context)
}

/** The score that parts make under a balance. */
export function recompute(parts: ScoreParts, balance: Balance): number {
  const evidence = Math.max(0, parts.own + parts.session)
  const score = scoreOf(evidence * (1 + balance.recency * parts.recency + balance.priority * parts.priority))
  return parts.lifted ? Math.max(score, HIGH_FROM) : score
}

type OwnParts = Pick<ScoreParts, 'words' | 'meaning' | 'own'>

const NO_EVIDENCE: OwnParts = { words: 0, meaning: 0, own: 0 }

function ownParts(candidate: Candidate, wordsUnit: number, context: RankingContext): OwnParts {
  const { mode, cosineFloor } = context
  const words = mode === 'semantic' || wordsUnit === 0 ? 0 : wordScore(candidate, context) / wordsUnit
  const meaning = mode === 'keyword' || candidate.cosine === null ? 0 : candidate.cosine - cosineFloor
  const weight = mode === 'keyword' ? KEYWORD_WEIGHT : WORDS_WEIGHT
  return { words, meaning, own: weight * words + meaning }
}

function wordScore(candidate: Candidate, { terms, related = [], corpus }: RankingContext): number {
  return bm25(candidate, terms, corpus) + RELATED_SHARE * bm25(candidate, related, corpus)
}

/** Best first; of equals the newer one, so that the order is total and pages never overlap. */
function byScore(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score
  const age = b.candidate.createdAt.getTime() - a.candidate.createdAt.getTime()
  if (age !== 0) return age
  return a.candidate.memoryId < b.candidate.memoryId ? 1 : -1
}

function liftFirst(ranked: Ranked[], { clauses, balance }: RankingContext): Ranked[] {
  const [first, ...others] = ranked
  if (!first || first.score >= HIGH_FROM || !holdsEveryTerm(first.candidate, clauses)) return ranked
  const parts = { ...first.parts, lifted: true }
  return [{ ...first, parts, score: recompute(parts, balance) }, ...others]
}

/** Whether a memory holds every clause of the query in one of its alternatives. */
export function holdsEveryTerm({ positions }: Candidate, clauses: RankingContext['clauses']): boolean {
  if (clauses.length === 0) return false
  return clauses.every(alternatives => alternatives.some(stems => stems.every(stem => positions.has(stem))))
}
