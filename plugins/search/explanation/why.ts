import type { Static } from '@sinclair/typebox'
import type { Tenant, Tx } from 'mneme/plugin'
import type { MemoryFilter, MemoryStanding, SearchRequest } from '../../memories/contract.ts'
import { queryTerms } from '../analysis/parse-query.ts'
import { type EngineQuery, type ExaminedCandidate, TOTAL_MAX } from '../engine/engine.ts'
import { type PreparationServices, prepareQuery } from '../query/prepare.ts'
import type { Ranked } from '../ranking/rank.ts'
import { relevanceOf, roundScore } from '../ranking/score.ts'
import { type Placed, type Reranking, rerankedTexts } from '../reranking/rerank.ts'
import {
  isTailWanted,
  matchesOf,
  type Retrieval,
  type RetrievalServices,
  rankWith,
  reaches,
  retrieve,
  retrieveTail,
} from '../retrieval/retrieve.ts'
import type { whyResponse } from '../schemas.ts'
import { explainer, type ScoreExplanation } from './explain.ts'

type Reason = Static<typeof whyResponse>['reasons'][number]

/** Explains why a memory is, or is not, among the results of a search. */
type WhyResult = Omit<Static<typeof whyResponse>, 'explanation'> & { explanation: ScoreExplanation | null }

interface WhyServices extends PreparationServices, RetrievalServices {
  readonly reranking: Reranking
}

/** Runs the search and looks for one memory. @throws MEMORY_NOT_FOUND when the workspace has no such memory */
export async function why(
  services: WhyServices,
  tenant: Tenant,
  request: Omit<SearchRequest, 'page' | 'explain'>,
  memoryId: string,
): Promise<WhyResult> {
  const { minScore = 0 } = request
  const { prepared } = await prepareQuery(services, tenant, request)
  const { result, ranking, texts } = await tenant.transaction(async tx => {
    const standing = await services.reader().standing(tx, memoryId)
    const retrieval = await retrieve(tx, services, prepared, request.expand)
    const ranking = await rankedUntil(tx, services, retrieval, memoryId, minScore)
    const isIt = ({ candidate }: Ranked) => candidate.memoryId === memoryId
    const index = ranking.findIndex(isIt)
    const shown = index < 0 ? await rankWith(tx, services, retrieval, memoryId) : ranking
    const ranked = shown.find(isIt)
    const score = ranked ? roundScore(ranked.score) : null
    const movable = index < 0 ? [] : services.reranking.wanted(request.mode, ranking, index)
    const memories = await services.reader().listed(
      tx,
      movable.map(({ candidate }) => candidate.memoryId),
    )
    const result: WhyResult = {
      memory_id: memoryId,
      found: index >= 0,
      rank: null,
      page: null,
      total: minScore > 0 ? ranking.filter(one => reaches(one, minScore)).length : matchesOf(retrieval),
      query_hash: prepared.learning.queryHash,
      score,
      relevance: score === null ? null : relevanceOf(score),
      best_score: retrieval.head[0] ? roundScore(retrieval.head[0].score) : null,
      reasons: index >= 0 ? [] : await absenceReasons(tx, services, retrieval, memoryId, standing),
      explanation: ranked ? explainer(shown, retrieval)(ranked) : null,
    }
    return { result, ranking, texts: rerankedTexts(movable, memories, retrieval.passages) }
  })
  if (!result.found) return result
  const placed = await services.reranking.order(tenant.workspaceId, request.query, ranking, texts)
  const found = placedAt(result, placed, request.pageSize)
  return (found.score ?? 0) >= minScore ? found : belowMinScore(found, minScore)
}

/** Tells where a memory that was found stands in the final order. */
function placedAt(result: WhyResult, placed: readonly Placed[], pageSize: number): WhyResult {
  const index = placed.findIndex(({ ranked }) => ranked.candidate.memoryId === result.memory_id)
  const { score: exact = 0, rerank } = placed[index] ?? {}
  const score = roundScore(exact)
  return {
    ...result,
    rank: index + 1,
    page: Math.floor(index / pageSize) + 1,
    score,
    relevance: relevanceOf(score),
    reasons: [foundAt(index)],
    explanation: result.explanation && { ...result.explanation, ...(rerank ? { rerank } : {}) },
  }
}

function belowMinScore(result: WhyResult, minScore: number): WhyResult {
  const message = `It matches, but its score of ${result.score} is below the \`min_score\` of ${minScore}.`
  return { ...result, found: false, rank: null, page: null, reasons: [{ code: 'BELOW_MIN_SCORE', message }] }
}

/** Ranks the head, and the tail only if the memory is not in the head, or the results beyond it have to be counted. */
async function rankedUntil(
  tx: Tx,
  services: WhyServices,
  retrieval: Retrieval,
  memoryId: string,
  minScore: number,
): Promise<readonly Ranked[]> {
  const { head, set } = retrieval
  const inHead = head.some(({ candidate }) => candidate.memoryId === memoryId)
  if (set.total <= head.length || (inHead && !(minScore > 0 && isTailWanted(retrieval, minScore)))) return head
  return [...head, ...(await retrieveTail(tx, services, retrieval))]
}

function foundAt(index: number): Reason {
  return { code: 'FOUND', message: `It is result number ${index + 1}.` }
}

async function absenceReasons(
  tx: Tx,
  services: WhyServices,
  { query, context }: Retrieval,
  memoryId: string,
  standing: MemoryStanding,
): Promise<Reason[]> {
  if (standing.state === 'EXPIRED') return [{ code: 'EXPIRED', message: 'The memory has expired.' }]
  if (standing.state === 'CONSOLIDATED') {
    return [
      { code: 'CONSOLIDATED', message: `The memory was merged into ${standing.into}, which is searched instead.` },
    ]
  }
  const examine = async (filter: MemoryFilter) =>
    (await services.engine.features(tx, { ...query, filter }, [memoryId])).candidates[0]
  const candidate = await examine({})
  if (!candidate) return [{ code: 'NO_MATCH', message: 'The memory is not indexed yet.' }]
  const reasons: Reason[] = []
  for (const { names, filter } of splitFilter(query.filter)) {
    if ((await examine(filter))?.passesFilter) continue
    reasons.push({ code: 'FILTERED', message: `It does not pass the filter ${names.join(' and ')}.` })
  }
  if (!candidate.matches) {
    reasons.push(
      query.match === 'all'
        ? await mismatchOfWords(tx, services, query, memoryId)
        : mismatch(context, candidate, unvectoredOf(query, standing.status === 'COMPLETED')),
    )
  }
  if (reasons.length > 0) return reasons
  return [{ code: 'BEYOND_LAST_PAGE', message: `It matches, but ranks beyond the first ${TOTAL_MAX} results.` }]
}

const FILTER_NAMES: Readonly<Record<string, string>> = {
  userId: 'user_id',
  agentId: 'agent_id',
  sessionId: 'session_id',
  createdAfter: 'created_after',
  createdBefore: 'created_before',
  metadata: 'filter',
}

/** Splits a filter into single filters with the names of their parameters. */
function splitFilter({ added = [], ...own }: MemoryFilter): { names: readonly string[]; filter: MemoryFilter }[] {
  return [
    ...Object.entries(own).map(([name, value]) => ({ names: [FILTER_NAMES[name] ?? name], filter: { [name]: value } })),
    ...added.map(filter => ({ names: filter.names, filter: { added: [filter] } })),
  ]
}

/** Tells what keeps a memory from a keyword query: a quotation or an exclusion, else the words that it lacks. */
async function mismatchOfWords(tx: Tx, { engine }: WhyServices, query: EngineQuery, memoryId: string): Promise<Reason> {
  const { clauses } = query.query
  const conditions = clauses.filter(({ excluded, terms }) => excluded || terms.every(({ quoted }) => quoted))
  // Function words do not rank, but keyword mode demands them too.
  const { terms, variants } = queryTerms(query.query)
  const asked = { ...query, filter: {}, query: { clauses: conditions }, terms: terms.map(({ term }) => term), variants }
  const { candidates } = await engine.features(tx, asked, [memoryId])
  if (conditions.length > 0 && !candidates[0]?.matches) {
    return { code: 'EXCLUDED', message: 'A quotation or an exclusion of the query rules it out.' }
  }
  const positions = candidates[0]?.positions
  const lacking = clauses
    .filter(
      ({ excluded, terms }) => !excluded && !terms.some(term => term.required.every(stem => positions?.has(stem))),
    )
    .map(({ terms }) => terms.map(({ text }) => text).join(' OR '))
  const what = lacking.length > 0 ? ` It lacks ${lacking.join(', ')}.` : ''
  return { code: 'NO_MATCH', message: `In keyword mode a memory must contain every term.${what}` }
}

/** Tells which side of a comparison by meaning has no vector. */
function unvectoredOf({ vector }: EngineQuery, isProcessed: boolean): string {
  if (!vector) return 'the query has no vector to compare by meaning'
  return isProcessed ? 'it has no vector to compare by meaning' : 'it has no vector yet'
}

function mismatch({ cosineFloor }: Retrieval['context'], { cosine }: ExaminedCandidate, unvectored: string): Reason {
  if (cosine === null) {
    return { code: 'NOT_EMBEDDED', message: `It contains no word of the query, and ${unvectored}.` }
  }
  const far = `its cosine of ${cosine.toFixed(3)} is below the floor of ${cosineFloor}`
  return { code: 'NO_MATCH', message: `It contains no word of the query, and ${far}.` }
}
