import type { SearchMode } from '../../memories/contract.ts'
import type { Question } from '../analysis/question.ts'
import type { EndedMemories } from '../contract.ts'
import type { Candidate, CorpusStatistics, Passages } from '../engine/engine.ts'
import { RELATED_SHARE } from '../engine/term-weight.ts'
import { answerFactor, askingFactor } from './answer-kind.ts'
import { bm25, bm25OfAllTerms } from './bm25.ts'
import { contextShare } from './context-share.ts'
import { coverage } from './coverage.ts'
import { withFeedback } from './feedback.ts'
import { bestCosine, cosineOf } from './meaning.ts'
import { type Neighbour, neighboursOf } from './neighbours.ts'
import { prioritySignal } from './priority.ts'
import { proximity } from './proximity.ts'
import { recency } from './recency.ts'
import { HIGH_FROM } from './relevance.ts'
import { positiveEvidence, scoreOf } from './score.ts'
import { bestOfSessions } from './session.ts'
import { speakerFactor } from './speaker.ts'
import { timeFactor } from './time-fit.ts'
import { type Replaced, replacedBy, validityFactor } from './validity.ts'
import { type Evidence, KEYWORD_WEIGHTS, WEIGHTS, type Weights } from './weights.ts'
import { standardized } from './word-evidence.ts'

/** The signals of a score. A signal that is switched off counts as neutral. */
export const SIGNALS = [
  'words',
  'coverage',
  'proximity',
  'meaning',
  'entities',
  'facts',
  'validity',
  'neighbours',
  'session',
  'speaker',
  'asking',
  'answer',
  'time',
  'recency',
  'priority',
  'feedback',
] as const
export type Signal = (typeof SIGNALS)[number]

/** The inputs of one query for its candidates. */
export interface RankingContext {
  readonly mode: SearchMode
  /** The stems to rank by. */
  readonly terms: readonly string[]
  /** The stems that expansion added. */
  readonly related?: readonly string[]
  /** The alternatives of each clause; an alternative lists the stems that a text must contain. */
  readonly clauses: readonly (readonly (readonly string[])[])[]
  readonly question: Question
  readonly corpus: CorpusStatistics
  /** The cosine of unrelated texts. */
  readonly cosineFloor: number
  readonly balance: Balance
  /** The feedback on memories for this query, from −1 to 1. */
  readonly feedback?: ReadonlyMap<string, number>
  /** Other plugins connect memories with the query so strongly. */
  readonly connections?: ReadonlyMap<string, Pick<Evidence, 'entities' | 'facts'>>
  /** Memories that tell only what is no longer true, each with those that replaced it. */
  readonly ended?: EndedMemories
  /** The nearest passages of long texts. */
  readonly passages?: Passages
  /** Signals to leave out, for measurements. */
  readonly without?: ReadonlySet<Signal>
  /** Weights to use in place of those of hybrid and semantic mode, for measurements. */
  readonly tried?: Weights
  /** The lowest score of the results before these, which are ranked separately; none of these scores higher. */
  readonly ceiling?: number
  readonly now: Date
}

/** The weights of age and priority against relevance: 0.1 lets them change the evidence by a tenth. */
export interface Balance {
  readonly recency: number
  readonly priority: number
}

export const DEFAULT_BALANCE: Balance = { recency: 0.08, priority: 0.12 }

/** A candidate with its score and all parts of it; `recompute` reproduces the score from them. */
export interface Ranked {
  readonly candidate: Candidate
  /** The score from 0 to 1, comparable within one response. */
  readonly score: number
  readonly parts: ScoreParts
}

/** The evidence is multiplied by these factors; 1 is neutral. */
export interface Factors {
  readonly speaker: number
  readonly asking: number
  readonly answer: number
  readonly time: number
  readonly validity: number
}

export interface ScoreParts {
  readonly evidence: Evidence
  readonly weights: Evidence
  /** The contribution of session neighbours, each a share of its own weighted evidence. */
  readonly neighbours: readonly (Neighbour & { readonly evidence: number })[]
  /** The contribution of the best other memory of the session, a share of its own weighted evidence. */
  readonly session: { readonly memoryId: string; readonly weight: number; readonly evidence: number } | null
  /** The memory that this one replaced. Its weighted evidence counts in place of the own one when that is less. */
  readonly replaces: Replaced | null
  readonly factors: Factors
  readonly feedback: number
  readonly recency: number
  readonly priority: number
  /** True when a first result that contains every term was raised to the score of a highly relevant one. */
  readonly lifted: boolean
  /** The bound of the score from the results before it, which were ranked separately; null without one. */
  readonly ceiling: number | null
}

/** Orders candidates, the best first. The function is deterministic. */
export function rank(candidates: readonly Candidate[], context: RankingContext): Ranked[] {
  const { mode } = context
  const weights = weightsOf(candidates, context)
  const words = wordsOf(candidates, context)
  const evidence = new Map(
    candidates.map(one => [one.memoryId, evidenceOf(one, words.get(one.memoryId) ?? 0, context)]),
  )
  const alone = new Map([...evidence].map(([id, one]) => [id, Math.max(0, weighted(one, weights))]))
  const around = mode === 'keyword' || isOut(context, 'neighbours') ? undefined : neighboursOf(candidates)
  const best = mode === 'keyword' || isOut(context, 'session') ? undefined : bestOfSessions(candidates, alone)
  const replaced = mode === 'keyword' ? undefined : replacedBy(endedOf(context), alone)
  const factorsOf = factorsFor(candidates, context)
  const given = context.tried ?? WEIGHTS
  const ranked = candidates.map(candidate => {
    const { memoryId } = candidate
    const share = contextShare(candidate.length)
    const parts: ScoreParts = {
      evidence: evidence.get(memoryId) ?? NO_EVIDENCE,
      weights,
      neighbours: (around?.get(memoryId) ?? []).map(one => ({
        ...one,
        weight: share * given.neighbours * one.weight,
        evidence: alone.get(one.memoryId) ?? 0,
      })),
      session: sessionPart(best?.get(memoryId), share * given.session, alone),
      replaces: replaced?.get(memoryId) ?? null,
      factors: factorsOf(candidate),
      feedback: isOut(context, 'feedback') ? 0 : (context.feedback?.get(memoryId) ?? 0),
      recency: isOut(context, 'recency') ? 0 : recency(candidate.createdAt, context.now),
      priority: isOut(context, 'priority') ? 0 : prioritySignal(candidate.priority),
      lifted: false,
      ceiling: context.ceiling ?? null,
    }
    return { candidate, score: recompute({ ...parts, ceiling: null }, context.balance), parts }
  })
  // Sorting ignores the ceiling, because most of the tail would share one score under it.
  ranked.sort(byScore)
  return liftFirst(ranked.map(underCeiling), context)
}

/** Computes the score of parts under a balance, which makes the output of `explain` verifiable. */
export function recompute(parts: ScoreParts, balance: Balance): number {
  const { factors, neighbours, session, replaces } = parts
  const beside = neighbours.reduce((sum, { weight, evidence }) => sum + weight * evidence, 0)
  const around = beside + (session ? session.weight * session.evidence : 0)
  const own = Math.max(weighted(parts.evidence, parts.weights), replaces?.evidence ?? Number.NEGATIVE_INFINITY)
  const fitting =
    positiveEvidence(own + around) * factors.speaker * factors.asking * factors.answer * factors.time * factors.validity
  const judged = withFeedback(fitting, parts.feedback)
  const score = scoreOf(judged * (1 + balance.recency * parts.recency + balance.priority * parts.priority))
  return Math.min(parts.lifted ? Math.max(score, HIGH_FROM) : score, parts.ceiling ?? 1)
}

function sessionPart(
  memoryId: string | undefined,
  weight: number,
  alone: ReadonlyMap<string, number>,
): ScoreParts['session'] {
  return memoryId === undefined ? null : { memoryId, weight, evidence: alone.get(memoryId) ?? 0 }
}

const NO_EVIDENCE: Evidence = { words: 0, coverage: 0, proximity: 0, meaning: 0, entities: 0, facts: 0 }
const NO_FACTORS: Factors = { speaker: 1, asking: 1, answer: 1, time: 1, validity: 1 }

function isOut({ without }: RankingContext, signal: Signal): boolean {
  return without?.has(signal) ?? false
}

function endedOf(context: RankingContext): EndedMemories {
  return (isOut(context, 'validity') ? undefined : context.ended) ?? new Map()
}

function weightsOf(candidates: readonly Candidate[], context: RankingContext): Evidence {
  const given = context.tried ?? WEIGHTS
  const weights =
    context.mode === 'keyword'
      ? KEYWORD_WEIGHTS
      : { ...given, words: given.words * bestCosine(candidates, context.passages) }
  const of = (signal: keyof Evidence) => (isOut(context, signal) ? 0 : weights[signal])
  return {
    words: of('words'),
    coverage: of('coverage'),
    proximity: of('proximity'),
    meaning: of('meaning'),
    entities: of('entities'),
    facts: of('facts'),
  }
}

function weighted(evidence: Evidence, weights: Evidence): number {
  return (
    weights.words * evidence.words +
    weights.coverage * evidence.coverage +
    weights.proximity * evidence.proximity +
    weights.meaning * evidence.meaning +
    weights.entities * evidence.entities +
    weights.facts * evidence.facts
  )
}

function evidenceOf(candidate: Candidate, words: number, context: RankingContext): Evidence {
  const { mode, corpus, terms, cosineFloor, connections } = context
  const byWords = mode !== 'semantic'
  const connected = connections?.get(candidate.memoryId)
  const cosine = cosineOf(candidate, context.passages)
  return {
    words,
    coverage: byWords ? coverage(candidate, terms, corpus) ** 2 : 0,
    proximity: byWords ? proximity(candidate, terms, corpus) : 0,
    meaning: mode === 'keyword' || cosine === null ? 0 : cosine - cosineFloor,
    entities: connected?.entities ?? 0,
    facts: connected?.facts ?? 0,
  }
}

/** Measures the words of all candidates, on a scale that depends on the mode. */
function wordsOf(candidates: readonly Candidate[], context: RankingContext): ReadonlyMap<string, number> {
  const { mode, terms, related = [], corpus } = context
  if (mode === 'semantic' || terms.length + related.length === 0) return new Map()
  const raw = candidates.map(one => bm25(one, terms, corpus) + RELATED_SHARE * bestOf(one, related, corpus))
  const scale = mode === 'keyword' ? inUnitsOf(bm25OfAllTerms(terms, corpus)) : standardized(raw, terms, corpus)
  return new Map(candidates.map(({ memoryId }, index) => [memoryId, scale(raw[index] ?? 0)]))
}

function inUnitsOf(unit: number): (score: number) => number {
  return score => (unit > 0 ? score / unit : 0)
}

function bestOf(candidate: Candidate, related: readonly string[], corpus: CorpusStatistics): number {
  return related.reduce((best, term) => Math.max(best, bm25(candidate, [term], corpus)), 0)
}

/** Keyword mode finds texts for their words alone, so the question has no influence there. */
function factorsFor(candidates: readonly Candidate[], context: RankingContext): (candidate: Candidate) => Factors {
  const { mode, question } = context
  if (mode === 'keyword') return () => NO_FACTORS
  const speaker = speakerFactor(candidates, question.words)
  const ended = endedOf(context)
  const of = (signal: Signal, factor: number) => (isOut(context, signal) ? 1 : factor)
  return candidate => ({
    speaker: of('speaker', speaker(candidate)),
    asking: of('asking', askingFactor(candidate, question)),
    answer: of('answer', answerFactor(candidate.traits, question)),
    time: of('time', timeFactor(candidate, question)),
    validity: validityFactor(candidate.memoryId, ended),
  })
}

function underCeiling(one: Ranked): Ranked {
  const { ceiling } = one.parts
  return ceiling === null || one.score <= ceiling ? one : { ...one, score: ceiling }
}

/** Orders by score, then by age with the newer first, so that the order is total and pages never overlap. */
function byScore(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score
  const age = b.candidate.createdAt.getTime() - a.candidate.createdAt.getTime()
  if (age !== 0) return age
  return a.candidate.memoryId < b.candidate.memoryId ? 1 : -1
}

function liftFirst(ranked: Ranked[], { clauses, balance, ceiling }: RankingContext): Ranked[] {
  const [first, ...others] = ranked
  // A page beyond the head has no first result.
  if (!first || ceiling !== undefined || first.score >= HIGH_FROM || !holdsEveryTerm(first.candidate, clauses))
    return ranked
  const parts = { ...first.parts, lifted: true }
  return [{ ...first, parts, score: recompute(parts, balance) }, ...others]
}

/** Checks whether a memory contains every clause of the query in one of its alternatives. */
export function holdsEveryTerm({ positions }: Candidate, clauses: RankingContext['clauses']): boolean {
  if (clauses.length === 0) return false
  return clauses.every(alternatives => alternatives.some(stems => stems.every(stem => positions.has(stem))))
}
