import type { TSchema } from '@sinclair/typebox'
import type { SearchMode } from '../../memories/contract.ts'
import type { Question } from '../analysis/traits.ts'
import type { EndedMemories } from '../contract.ts'
import type { Candidate, CorpusStatistics, Passages } from '../engine/engine.ts'

/** One signal of the ranking. `signals.ts` lists them all; ranking, explanation, schema and measurements go by that list. */
export interface Signal<Value = number> {
  readonly id: string
  /** The weight in hybrid and semantic mode, measured on texts of seven kinds (see the README). */
  readonly weight: number
  /** The weight in keyword mode, where texts are found for their words alone; a signal without one does not count there. */
  readonly keyword?: number
  /** It measures words, by which semantic mode does not rank. */
  readonly isByWords?: true
  /** Returns a number that multiplies the weight for these candidates. */
  scale?(pool: Pool): number
  /** The value that changes no score. */
  readonly neutral: Value
  of(pool: Pool): (candidate: Candidate) => Value
  /** Its field in `explanation`. */
  readonly explain: TSchema
}

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
  readonly connections?: ReadonlyMap<
    string,
    { readonly entities: number; readonly facts: number; readonly isOfTime?: true }
  >
  /** Memories that tell only what is no longer true, each with those that replaced it. */
  readonly ended?: EndedMemories
  /** The nearest passages of long texts. */
  readonly passages?: Passages
  /** The best candidates' tokens are so near to those of the query, from -1 to 1; null stands where they are not known. */
  readonly likenesses?: ReadonlyMap<string, number | null>
  /** Signals to leave out, for measurements. */
  readonly without?: ReadonlySet<string>
  /** Weights to use in place of those of hybrid and semantic mode, for measurements. */
  readonly tried?: Readonly<Record<string, number>>
  /** The lowest score of the results before these, which are ranked separately; none of these scores higher. */
  readonly ceiling?: number
  readonly now: Date
}

/** The weights of age and priority against relevance: 0.1 lets them change the evidence by a tenth. */
export interface Balance {
  readonly recency: number
  readonly priority: number
}

/** All candidates of a query, on which the value of one of them may depend. */
export interface Pool extends RankingContext {
  readonly candidates: readonly Candidate[]
  /** The weighted evidence of each candidate by itself; empty while that is being measured. */
  readonly own: ReadonlyMap<string, number>
}

/** Another memory of the session that supports one, with the added share of its own evidence. */
export interface Support {
  readonly memoryId: string
  readonly weight: number
  readonly evidence: number
}

/** Measures a signal; one that is left out, or does not count in the mode, is neutral. */
export function valuesOf<V>(signal: Signal<V>, pool: Pool): (candidate: Candidate) => V {
  return counts(signal, pool) ? signal.of(pool) : () => signal.neutral
}

export function weightOf(signal: Omit<Signal<unknown>, 'of'>, pool: Pool): number {
  if (pool.without?.has(signal.id)) return 0
  if (pool.mode === 'keyword') return signal.keyword ?? 0
  return (pool.tried?.[signal.id] ?? signal.weight) * (signal.scale?.(pool) ?? 1)
}

function counts({ id, keyword, isByWords }: Omit<Signal<unknown>, 'of'>, { without, mode }: Pool): boolean {
  if (without?.has(id)) return false
  return mode === 'keyword' ? keyword !== undefined : mode === 'hybrid' || !isByWords
}
