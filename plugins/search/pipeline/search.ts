import { createHash } from 'node:crypto'
import type { Tenant, Tx } from 'mneme/plugin'
import type { FoundMemory, SearchRequest, SearchResponse } from '../../memories/contract.ts'
import type { QueryEmbedder } from '../embedding/query-embedder.ts'
import { TOTAL_MAX } from '../engine/engine.ts'
import type { WorkspaceLanguages } from '../languages/workspace-languages.ts'
import type { QueryLog } from '../log/query-log.ts'
import { embedQuery } from '../query/meaning.ts'
import { planQuery } from '../query/plan.ts'
import { explainer } from '../ranking/explain.ts'
import { relevanceOf } from '../ranking/relevance.ts'
import { type PreparedQuery, type RetrievalServices, retrieve, retrieveTail } from './retrieve.ts'

export interface SearchServices extends RetrievalServices {
  readonly embedder: QueryEmbedder
  readonly languages: Pick<WorkspaceLanguages, 'ofText' | 'ofQuery'>
  readonly log: QueryLog
}

/**
 * Runs one search: the engine retrieves candidates, the ranker orders them, and the page is read. The query is embedded before the
 * transaction opens, so that no connection waits for a model.
 */
export async function search(
  services: SearchServices,
  tenant: Tenant,
  request: SearchRequest,
): Promise<SearchResponse> {
  const startedAt = performance.now()
  const { prepared, warning } = await prepareQuery(services, tenant, request)
  const { page, total, bestScore, engineWarning } = await tenant.transaction(tx =>
    readPage(tx, services, prepared, request),
  )
  services.reader().countAccess(
    tenant.workspaceId,
    page.map(memory => memory.id),
  )
  const { queryHash } = prepared.learning
  const data = await services.reader().withFields(tenant, page, 'list')
  services.log.add({
    workspaceId: tenant.workspaceId,
    query: request.query,
    queryHash,
    mode: request.mode,
    userId: request.filter.userId ?? null,
    results: total,
    bestScore,
    durationMs: performance.now() - startedAt,
    createdAt: new Date(),
  })
  return {
    data,
    total,
    page: request.page,
    page_size: request.pageSize,
    query_hash: queryHash,
    ...withWarnings(warning, engineWarning),
  }
}

function withWarnings(...warnings: readonly (string | undefined)[]): { warning?: string } {
  const given = warnings.filter(warning => warning !== undefined)
  return given.length > 0 ? { warning: given.join(' ') } : {}
}

/** Analyses and embeds a query, which is all the work before the transaction. */
export async function prepareQuery(
  services: SearchServices,
  tenant: Tenant,
  request: Pick<SearchRequest, 'query' | 'mode' | 'filter'> & { readonly expand?: boolean },
): Promise<{ prepared: PreparedQuery; warning?: string }> {
  const { workspaceId } = tenant
  const languages = await services.languages.ofQuery(tenant, request.query)
  const plan = planQuery(request, languages)
  const hash = queryHash(request.query)
  const [{ vector, typed, unsupported, ...embedded }, suggested] = await Promise.all([
    embedQuery(services, tenant, plan, languages[0]),
    request.expand && plan.meaning ? services.expansion.model.terms(workspaceId, hash, plan.meaning) : undefined,
  ])
  const prepared: PreparedQuery = {
    plan,
    query: {
      workspaceId,
      match: plan.match,
      query: plan.query,
      // In a semantic search words only retrieve candidates, which are then compared by meaning.
      terms: unsupported ? [] : plan.terms,
      variants: plan.variants,
      filter: request.filter,
      ...(vector ? { vector: { ...vector, floor: services.similarityFloor } } : {}),
    },
    learning: {
      workspaceId,
      query: request.query,
      queryHash: hash,
      ...(typed ? { vector: typed } : {}),
    },
    languages,
    suggested,
  }
  return { prepared, ...embedded }
}

/** Hashes a query to 32 hexadecimal digits, regardless of mode, case, spacing and Unicode form. */
export function queryHash(query: string): string {
  const normal = query.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ')
  return createHash('sha256').update(normal).digest('hex').slice(0, 32)
}

interface Page {
  readonly page: FoundMemory[]
  readonly total: number
  readonly bestScore: number | null
  readonly engineWarning: string | undefined
}

async function readPage(
  tx: Tx,
  services: SearchServices,
  prepared: PreparedQuery,
  { page, pageSize, expand, explain = false }: SearchRequest,
): Promise<Page> {
  const retrieval = await retrieve(tx, services, prepared, expand)
  const { set, head } = retrieval
  const total = Math.min(TOTAL_MAX, Math.max(set.total, head.length))
  const from = (page - 1) * pageSize
  const to = Math.min(page * pageSize, total)
  const beyond = to > head.length && from < to
  const ranking = beyond ? [...head, ...(await retrieveTail(tx, services, retrieval))] : head
  const results = ranking.slice(from, to)
  const memories = await services.reader().listed(
    tx,
    results.map(({ candidate }) => candidate.memoryId),
  )
  const explained = explain ? explainer(ranking, retrieval.context, retrieval.known.evidence) : undefined
  const found = results.flatMap(ranked => {
    const memory = memories.get(ranked.candidate.memoryId)
    // The memory was deleted between two statements of this transaction.
    if (!memory) return []
    const score = roundScore(ranked.score)
    return [
      { ...memory, score, relevance: relevanceOf(score), ...(explained ? { explanation: explained(ranked) } : {}) },
    ]
  })
  const bestScore = head[0] ? roundScore(head[0].score) : null
  return { page: found, total, bestScore, engineWarning: set.warning }
}

export function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000
}
