import {
  Histogram,
  RERANK_TEXT_CHARS_MAX,
  type Registry,
  type Reranker,
  RerankerUnavailableError,
  type UsageMeter,
} from 'mneme/plugin'
import type { ListedMemory, SearchMode } from '../../memories/contract.ts'
import type { NearPassage, Passages } from '../engine/engine.ts'
import type { Ranked } from '../ranking/rank.ts'

interface RerankingOptions {
  readonly reranker: Reranker
  /** So many of the best results change places among each other. */
  readonly candidatesMax: number
  readonly timeoutMs: number
  readonly usage: Pick<UsageMeter, 'tokens'>
  readonly metrics: Registry
}

/** A result at its final place. */
export interface Placed {
  readonly ranked: Ranked
  /** The score of the place: results change places, so that scores still fall from one to the next. */
  readonly score: number
  /** Undefined without a reranker. */
  readonly rerank?: RerankExplanation
}

/** The part of the reranker, as `explain` returns it. */
export interface RerankExplanation {
  model: string
  /** On a scale of the model's own; null where it did not judge the memory: too far down, or the reranker was away. */
  score: number | null
  /** The place before, from 1. */
  rank: number
}

/** Lets a model that reads query and texts together order the best results. */
export interface Reranking {
  /** Lists the results whose texts `order` needs, when the page begins at this place, from 0. */
  wanted(mode: SearchMode, ranking: readonly Ranked[], from: number): readonly Ranked[]
  /** Keeps the order there is without a reranker, or while it is away. It never throws for its sake. */
  order(
    workspaceId: string,
    query: string,
    ranking: readonly Ranked[],
    texts: ReadonlyMap<string, string>,
  ): Promise<readonly Placed[]>
}

export function createReranking(options: RerankingOptions): Reranking {
  const { reranker, candidatesMax } = options
  if (reranker.modelId === 'none') return noReranking
  const seconds = new Histogram({
    name: 'mneme_search_rerank_duration_seconds',
    help: 'Calls of the reranker, by what they came to.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3],
    registers: [options.metrics],
  })
  return {
    wanted(mode, ranking, from) {
      // In keyword mode texts are found for their words alone.
      return mode === 'keyword' || from >= candidatesMax ? [] : ranking.slice(0, candidatesMax)
    },
    async order(workspaceId, query, ranking, texts) {
      const judged = ranking.slice(0, candidatesMax).filter(({ candidate }) => texts.has(candidate.memoryId))
      const scores = await scored(options, seconds, workspaceId, query, judged, texts)
      const places = ranking.map(({ score }) => score)
      return reordered(ranking, scores).map((ranked, index) => ({
        ranked,
        score: places[index] ?? ranked.score,
        rerank: {
          model: reranker.modelId,
          score: scores.get(ranked) ?? null,
          rank: ranking.indexOf(ranked) + 1,
        },
      }))
    },
  }
}

/** Keeps every order. */
export const noReranking: Reranking = {
  wanted: () => [],
  order: (_, __, ranking) => Promise.resolve(ranking.map(ranked => ({ ranked, score: ranked.score }))),
}

/** Empty where nothing is to be ordered, and while the reranker is away. */
async function scored(
  { reranker, timeoutMs, usage }: RerankingOptions,
  seconds: Histogram<'outcome'>,
  workspaceId: string,
  query: string,
  judged: readonly Ranked[],
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<Ranked, number>> {
  if (judged.length < 2 || !reranker.available()) return new Map()
  const given = judged.map(({ candidate }) => texts.get(candidate.memoryId) ?? '')
  const stop = seconds.startTimer()
  try {
    const { scores, tokens } = await reranker.score(query, given, { timeoutMs })
    stop({ outcome: 'reranked' })
    usage.tokens(workspaceId, 'search', tokens)
    return new Map(judged.map((ranked, index) => [ranked, scores[index] ?? Number.NEGATIVE_INFINITY]))
  } catch (error) {
    stop({ outcome: 'unavailable' })
    if (!(error instanceof RerankerUnavailableError)) throw error
    return new Map()
  }
}

/** Results that were judged go first; where scores are equal, and for the others, the order stays. */
function reordered(ranking: readonly Ranked[], scores: ReadonlyMap<Ranked, number>): readonly Ranked[] {
  if (scores.size === 0) return ranking
  const of = (ranked: Ranked) => scores.get(ranked) ?? Number.NEGATIVE_INFINITY
  return ranking.toSorted((a, b) => (of(a) === of(b) ? 0 : of(b) - of(a)))
}

/** Returns what the reranker reads of each result: a long text around its nearest passage, any other from its beginning. */
export function rerankedTexts(
  results: readonly Ranked[],
  memories: ReadonlyMap<string, ListedMemory>,
  passages: Passages,
): ReadonlyMap<string, string> {
  return new Map(
    results.flatMap(({ candidate: { memoryId } }) => {
      const memory = memories.get(memoryId)
      return memory ? [[memoryId, excerpt(memory.memory, passages.get(memoryId))] as const] : []
    }),
  )
}

function excerpt(text: string, passage: NearPassage | undefined): string {
  if (!passage) return text
  const centred = Math.round((passage.start + passage.end - RERANK_TEXT_CHARS_MAX) / 2)
  const from = Math.max(0, Math.min(centred, text.length - RERANK_TEXT_CHARS_MAX))
  return text.slice(from, from + RERANK_TEXT_CHARS_MAX)
}
