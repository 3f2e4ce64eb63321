import { Histogram, type Registry, type Tenant, type Tx } from 'mneme/plugin'
import type { FoundMemory, ListedMemory, MemorySearch, SearchRequest, SearchResponse } from '../../memories/contract.ts'
import { explainer, type ScoreExplanation } from '../explanation/explain.ts'
import type { WorkspaceLanguages } from '../languages/workspace-languages.ts'
import type { QueryLog } from '../log/query-log.ts'
import { type PreparationServices, type PreparedQuery, prepareQuery } from '../query/prepare.ts'
import type { Ranked } from '../ranking/rank.ts'
import { relevanceOf, roundScore } from '../ranking/score.ts'
import { type Placed, type Reranking, rerankedTexts } from '../reranking/rerank.ts'
import {
  isTailWanted,
  matchesOf,
  type RetrievalServices,
  reaches,
  retrieve,
  retrieveTail,
} from '../retrieval/retrieve.ts'

export interface SearchServices extends PreparationServices, RetrievalServices {
  readonly languages: Pick<WorkspaceLanguages, 'ofText' | 'ofQuery'>
  readonly log: QueryLog
  readonly reranking: Reranking
}

/**
 * Runs one search: the engine retrieves candidates, the ranker orders them, and the page is read. The query is embedded before the
 * transaction opens, and the best results are reranked after it, so that no connection waits for a model.
 */
export async function search(
  services: SearchServices,
  tenant: Tenant,
  request: SearchRequest,
): Promise<SearchResponse> {
  const startedAt = performance.now()
  const { prepared, warning } = await prepareQuery(services, tenant, request)
  const found = await tenant.transaction(tx => readResults(tx, services, prepared, request))
  const { total, bestScore, engineWarning } = found
  const page = pageOf(
    found,
    await services.reranking.order(tenant.workspaceId, request.query, found.ranking, found.texts),
  )
  const { queryHash } = prepared.learning
  const data = await services.reader().withFields(tenant, page, 'list')
  if (!tenant.isObserver)
    noteUse(services, tenant.workspaceId, request, { page, total, bestScore, queryHash, startedAt })
  return {
    data,
    total,
    page: request.page,
    page_size: request.pageSize,
    query_hash: queryHash,
    ...withWarnings(warning, engineWarning),
  }
}

interface Outcome {
  readonly page: readonly { readonly id: string }[]
  readonly total: number
  readonly bestScore: number | null
  readonly queryHash: string
  readonly startedAt: number
}

/** Counts the memories of a page as read, and logs the search. */
function noteUse(services: SearchServices, workspaceId: string, request: SearchRequest, outcome: Outcome): void {
  const { page, total, bestScore, queryHash, startedAt } = outcome
  services.reader().countAccess(
    workspaceId,
    page.map(({ id }) => id),
  )
  const durationMs = performance.now() - startedAt
  services.log.add({
    workspaceId,
    query: request.query,
    queryHash,
    mode: request.mode,
    userId: request.filter.userId ?? null,
    isFiltered: Object.keys(request.filter).length > 0,
    results: total,
    bestScore,
    durationMs,
    createdAt: new Date(Date.now() - durationMs),
    startedAt,
  })
}

function withWarnings(...warnings: readonly (string | undefined)[]): { warning?: string } {
  const given = warnings.filter(warning => warning !== undefined)
  return given.length > 0 ? { warning: given.join(' ') } : {}
}

interface Results {
  readonly ranking: readonly Ranked[]
  /** The texts of results that may change places. */
  readonly texts: ReadonlyMap<string, string>
  readonly memories: ReadonlyMap<string, ListedMemory>
  /** The page begins and ends at these places, from 0. */
  readonly from: number
  readonly to: number
  readonly explained: ((ranked: Ranked) => ScoreExplanation) | undefined
  readonly total: number
  readonly bestScore: number | null
  readonly engineWarning: string | undefined
}

async function readResults(
  tx: Tx,
  services: SearchServices,
  prepared: PreparedQuery,
  { mode, page, pageSize, expand, explain = false, minScore }: SearchRequest,
): Promise<Results> {
  const retrieval = await retrieve(tx, services, prepared, expand)
  const { set, head } = retrieval
  const matches = matchesOf(retrieval)
  const from = (page - 1) * pageSize
  const until = Math.min(page * pageSize, matches)
  const isBeyond = minScore === undefined ? until > head.length && from < until : isTailWanted(retrieval, minScore)
  const ranking = isBeyond ? [...head, ...(await retrieveTail(tx, services, retrieval))] : head
  const total = minScore === undefined ? matches : ranking.filter(one => reaches(one, minScore)).length
  const to = Math.min(until, total)
  const movable = services.reranking.wanted(mode, ranking, from)
  const ids = [...movable, ...ranking.slice(from, to)].map(({ candidate }) => candidate.memoryId)
  const memories = await services.reader().listed(tx, [...new Set(ids)])
  return {
    ranking,
    texts: rerankedTexts(movable, memories, retrieval.passages),
    memories,
    from,
    to,
    explained: explain ? explainer(ranking, retrieval) : undefined,
    total,
    bestScore: head[0] ? roundScore(head[0].score) : null,
    engineWarning: set.warning,
  }
}

function pageOf({ memories, from, to, explained }: Results, placed: readonly Placed[]): FoundMemory[] {
  return placed.slice(from, to).flatMap(({ ranked, score: exact, rerank }) => {
    const memory = memories.get(ranked.candidate.memoryId)
    // The memory was deleted between two statements of the transaction.
    if (!memory) return []
    const score = roundScore(exact)
    const explanation = explained && { ...explained(ranked), ...(rerank ? { rerank } : {}) }
    return [{ ...memory, score, relevance: relevanceOf(score), ...(explanation ? { explanation } : {}) }]
  })
}

/** Runs searches and measures them by the engine that serves them, their mode and whether they found something. */
export function measuredSearch(
  services: SearchServices,
  engine: 'postgres' | 'typesense',
  registry: Registry,
): MemorySearch {
  const duration = new Histogram({
    name: 'mneme_search_duration_seconds',
    help: 'Time that searches took, by engine, mode and outcome.',
    labelNames: ['engine', 'mode', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return {
    async search(tenant, request) {
      const startedAt = performance.now()
      let outcome = 'failed'
      try {
        const response = await search(services, tenant, request)
        outcome = response.total > 0 ? 'found' : 'empty'
        return response
      } finally {
        duration.labels(engine, request.mode, outcome).observe((performance.now() - startedAt) / 1000)
      }
    },
  }
}
