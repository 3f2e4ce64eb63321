import type { Candidate } from '../engine/engine.ts'
import { feedback, withFeedback } from './feedback.ts'
import { type Neighbour, neighbours } from './neighbours.ts'
import { priority } from './priority.ts'
import { recency } from './recency.ts'
import { HIGH_FROM, positiveEvidence, scoreOf } from './score.ts'
import { session } from './session.ts'
import {
  type Balance,
  type Pool,
  type RankingContext,
  type Signal,
  type Support,
  valuesOf,
  weightOf,
} from './signal.ts'
import { EVIDENCE, FACTORS } from './signals.ts'
import { type Replaced, replacedBy } from './validity.ts'

/** Values of signals by their ids. */
export type BySignal = Readonly<Record<string, number>>

/** A candidate with its score and all parts of it; `recompute` reproduces the score from them. */
export interface Ranked {
  readonly candidate: Candidate
  /** The score from 0 to 1, comparable within one response. */
  readonly score: number
  readonly parts: ScoreParts
}

export interface ScoreParts {
  readonly evidence: BySignal
  readonly weights: BySignal
  /** The contribution of session neighbours, each a share of its own weighted evidence. */
  readonly neighbours: readonly (Support & Neighbour)[]
  /** The contribution of the best other memory of the session, a share of its own weighted evidence. */
  readonly session: Support | null
  /** The memory that this one replaced. Its weighted evidence counts in place of the own one when that is less. */
  readonly replaces: Replaced | null
  /** The evidence is multiplied by these; 1 is neutral. */
  readonly factors: BySignal
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
  const alone: Pool = { ...context, candidates, own: new Map() }
  const weights = Object.fromEntries(EVIDENCE.map(signal => [signal.id, weightOf(signal, alone)]))
  const evidenceOf = measured(EVIDENCE, alone)
  const evidence = new Map(candidates.map(one => [one.memoryId, evidenceOf(one)]))
  const own = new Map([...evidence].map(([id, values]) => [id, Math.max(0, weighted(values, weights))]))
  const pool: Pool = { ...alone, own }
  const isLeftOut = context.mode === 'keyword' || context.without?.has('validity')
  const replaced = isLeftOut ? undefined : replacedBy(context.ended ?? new Map(), own)
  const partsOf = {
    neighbours: valuesOf(neighbours, pool),
    session: valuesOf(session, pool),
    factors: measured(FACTORS, pool),
    feedback: valuesOf(feedback, pool),
    recency: valuesOf(recency, pool),
    priority: valuesOf(priority, pool),
  }
  const ranked = candidates.map(candidate => {
    const parts: ScoreParts = {
      evidence: evidence.get(candidate.memoryId) ?? {},
      weights,
      neighbours: partsOf.neighbours(candidate),
      session: partsOf.session(candidate),
      replaces: replaced?.get(candidate.memoryId) ?? null,
      factors: partsOf.factors(candidate),
      feedback: partsOf.feedback(candidate),
      recency: partsOf.recency(candidate),
      priority: partsOf.priority(candidate),
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
  const { neighbours, session, replaces } = parts
  const beside = neighbours.reduce((sum, { weight, evidence }) => sum + weight * evidence, 0)
  const around = beside + (session ? session.weight * session.evidence : 0)
  const own = Math.max(weighted(parts.evidence, parts.weights), replaces?.evidence ?? Number.NEGATIVE_INFINITY)
  const fitting = Object.values(parts.factors).reduce((product, one) => product * one, positiveEvidence(own + around))
  const judged = withFeedback(fitting, parts.feedback)
  const score = scoreOf(judged * (1 + balance.recency * parts.recency + balance.priority * parts.priority))
  return Math.min(parts.lifted ? Math.max(score, HIGH_FROM) : score, parts.ceiling ?? 1)
}

/** Measures some signals of each candidate. */
function measured(signals: readonly Signal[], pool: Pool): (candidate: Candidate) => BySignal {
  const values = signals.map(signal => [signal.id, valuesOf(signal, pool)] as const)
  return candidate => Object.fromEntries(values.map(([id, of]) => [id, of(candidate)]))
}

function weighted(evidence: BySignal, weights: BySignal): number {
  return Object.entries(weights).reduce((sum, [id, weight]) => sum + weight * (evidence[id] ?? 0), 0)
}

function underCeiling(one: Ranked): Ranked {
  const { ceiling } = one.parts
  return ceiling === null || one.score <= ceiling ? one : { ...one, score: ceiling }
}

/** Orders by score, then by age with the newer first, so that the order is total and pages never overlap. */
function byScore(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score
  const age = b.candidate.statedAt.getTime() - a.candidate.statedAt.getTime()
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
