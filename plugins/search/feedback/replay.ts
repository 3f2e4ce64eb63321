import type { Tx } from '../../../core/db/database.ts'
import type { EngineQuery, SearchEngine } from '../engine/engine.ts'
import { planQuery } from '../query-plan.ts'
import { DEFAULT_BALANCE, type RankingContext, rank, recompute } from '../ranking/rank.ts'
import type { JudgedQuery } from './fit.ts'
import type { SignalledQuery } from './judged.ts'
import type { KnownQuery } from './store.ts'

export interface ReplayServices {
  readonly engine: SearchEngine
  readonly similarityFloor: number
}

/** Results that nobody judged are compared with up to the end of a page: further down hardly anybody looked. */
const RESULTS_MAX = 10

/**
 * Asks a query again as it was when its signals came: memories that were written later are left out, ages count from then, and
 * what was learned for queries plays no part. Filters other than the user are not logged, so judged memories that the head
 * lacks are added.
 */
export async function replay(
  tx: Tx,
  { engine, similarityFloor }: ReplayServices,
  workspaceId: string,
  asked: SignalledQuery,
  known: KnownQuery | undefined,
): Promise<JudgedQuery> {
  const plan = planQuery(asked)
  const query: EngineQuery = {
    workspaceId,
    match: plan.match,
    query: plan.query,
    terms: plan.terms,
    filter: { createdBefore: asked.lastSignalAt, ...(asked.userId === null ? {} : { userId: asked.userId }) },
    ...(known && plan.meaning !== undefined
      ? { vector: { model: known.model, values: known.vector, floor: similarityFloor } }
      : {}),
  }
  const [set, judged] = await Promise.all([
    engine.candidates(tx, query),
    engine.features(tx, query, [...asked.judgements.keys()]),
  ])
  const proposed = new Set(set.candidates.map(({ memoryId }) => memoryId))
  const added = judged.candidates.filter(({ memoryId, matches }) => matches && !proposed.has(memoryId))
  const context: RankingContext = {
    mode: plan.mode,
    terms: plan.terms,
    clauses: plan.clauses,
    question: plan.question,
    corpus: set.corpus,
    cosineFloor: similarityFloor,
    balance: DEFAULT_BALANCE,
    now: asked.lastSignalAt,
  }
  const ranked = rank([...set.candidates, ...added], context)
  const results = ranked.filter(
    ({ candidate }, place) => place < RESULTS_MAX || asked.judgements.has(candidate.memoryId),
  )
  return {
    queryHash: asked.queryHash,
    results: results.map(({ candidate, parts }) => ({
      memoryId: candidate.memoryId,
      judgement: asked.judgements.get(candidate.memoryId) ?? 0,
      score: balance => recompute({ ...parts, lifted: false }, balance),
    })),
  }
}
