import type { NearPassage } from '../engine/engine.ts'
import { inverseDocumentFrequency, stemsOf } from '../engine/terms.ts'
import { passageCosine } from '../ranking/meaning.ts'
import type { Ranked, ScoreParts } from '../ranking/rank.ts'
import type { Balance, RankingContext } from '../ranking/signal.ts'
import type { RerankExplanation } from '../reranking/rerank.ts'
import type { Retrieval } from '../retrieval/retrieve.ts'

/** The parts of a score, as `explain` returns them. The numbers are exact: the documented formula reproduces `score`. */
export interface ScoreExplanation extends Omit<ScoreParts, 'neighbours' | 'session' | 'replaces'> {
  score: number
  neighbours: { memory_id: string; distance: number; weight: number; evidence: number }[]
  session: { memory_id: string; weight: number; evidence: number } | null
  replaces: { memory_id: string; evidence: number } | null
  balance: Balance
  /** The place in each list of candidates, from 1; null when it is not in that list. */
  ranks: { words: number | null; meaning: number | null }
  /** The query's terms that the memory contains. */
  terms: { term: string; matched: string[]; occurrences: number; documents: number; weight: number }[]
  /** The cosine of query and memory; null without a vector. */
  cosine: number | null
  /** The nearest passage of a long text; null when none is near, or the text is short. */
  passage: { start: number; end: number; of: number; cosine: number; counted: number } | null
  /** Names in the query that connect the memory to it. */
  entities: string[]
  /** Only with a reranker. */
  rerank?: RerankExplanation
}

/** Builds a function that explains results of one ranking. */
export function explainer(
  ranking: readonly Ranked[],
  { context, query, prepared: { evidence } }: Retrieval,
): (ranked: Ranked) => ScoreExplanation {
  const byWords = places(ranking, ({ candidate }) => heldWeight(candidate.positions, context))
  const byMeaning = places(ranking, ({ candidate }) => candidate.cosine)
  return ({ candidate, score, parts }) => ({
    score,
    ...parts,
    neighbours: parts.neighbours.map(withSnakeId),
    session: parts.session && withSnakeId(parts.session),
    replaces: parts.replaces && withSnakeId(parts.replaces),
    balance: context.balance,
    ranks: { words: byWords.get(candidate.memoryId) ?? null, meaning: byMeaning.get(candidate.memoryId) ?? null },
    terms: [...context.terms, ...(context.related ?? [])]
      .filter(term => candidate.positions.has(term))
      .map(term => ({
        term,
        matched: stemsOf(term, candidate.positions, query),
        occurrences: candidate.positions.get(term)?.length ?? 0,
        // A corrected word counts as if it were as common as its weight implies.
        documents: Math.round(context.corpus.documentFrequency.get(term) ?? 0),
        weight: weightOf(term, context),
      })),
    cosine: candidate.cosine,
    passage: passagePart(context.passages?.get(candidate.memoryId)),
    entities: [...(evidence.get(candidate.memoryId)?.names ?? [])],
  })
}

function withSnakeId<T extends { readonly memoryId: string }>({ memoryId, ...rest }: T) {
  return { memory_id: memoryId, ...rest }
}

function passagePart(passage: NearPassage | undefined): ScoreExplanation['passage'] {
  if (!passage) return null
  const { start, end, passages: of, cosine } = passage
  return { start, end, of, cosine, counted: passageCosine(passage) }
}

/** Ranks the results that have a value, the highest first. */
function places(ranking: readonly Ranked[], measured: (ranked: Ranked) => number | null): Map<string, number> {
  const listed = ranking.flatMap(ranked => {
    const value = measured(ranked)
    return value === null ? [] : [{ id: ranked.candidate.memoryId, value }]
  })
  listed.sort((a, b) => b.value - a.value)
  return new Map(listed.map(({ id }, index) => [id, index + 1]))
}

/** Sums the weights of the contained terms, by which engines list candidates; null without any. */
function heldWeight(positions: ReadonlyMap<string, unknown>, context: RankingContext): number | null {
  const held = context.terms.filter(term => positions.has(term))
  return held.length === 0 ? null : held.reduce((sum, term) => sum + weightOf(term, context), 0)
}

function weightOf(term: string, { corpus }: RankingContext): number {
  return inverseDocumentFrequency(corpus.documentFrequency.get(term) ?? 0, corpus.documents)
}
