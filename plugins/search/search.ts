import { createHash } from 'node:crypto'
import type { Tenant, Tx } from 'mneme/plugin'
import type { FoundMemory, SearchAnswer, SearchRequest } from '../memories/contract.ts'
import type { QueryEmbedder } from './embedding/query-embedder.ts'
import { TOTAL_MAX } from './engine/engine.ts'
import type { WorkspaceLanguages } from './languages/workspace-languages.ts'
import type { QueryLog } from './log/query-log.ts'
import { readMeaning } from './meaning.ts'
import { type Asked, type ProposalServices, propose, proposeTail } from './proposal.ts'
import { planQuery } from './query-plan.ts'
import { explainer } from './ranking/explain.ts'
import { relevanceOf } from './ranking/relevance.ts'

export interface SearchServices extends ProposalServices {
  readonly embedder: QueryEmbedder
  readonly languages: Pick<WorkspaceLanguages, 'ofText' | 'ofQuery'>
  readonly log: QueryLog
}

/**
 * One search: the engine proposes, the ranker decides, the page is read. The query is embedded before the transaction
 * opens, so that no connection waits for a model.
 */
export async function search(services: SearchServices, tenant: Tenant, request: SearchRequest): Promise<SearchAnswer> {
  const startedAt = performance.now()
  const { asked, warning } = await ask(services, tenant, request)
  const { page, total, bestScore, engineWarning } = await tenant.transaction(tx =>
    readPage(tx, services, asked, request),
  )
  services.reader().countAccess(
    tenant.workspaceId,
    page.map(memory => memory.id),
  )
  const { queryHash } = asked.learning
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

/** Reads a query and embeds it: all that happens before the transaction. */
export async function ask(
  services: SearchServices,
  tenant: Tenant,
  request: Pick<SearchRequest, 'query' | 'mode' | 'filter'> & { readonly expand?: boolean },
): Promise<{ asked: Asked; warning?: string }> {
  const { workspaceId } = tenant
  const languages = await services.languages.ofQuery(tenant, request.query)
  const plan = planQuery(request, languages)
  const hash = queryHash(request.query)
  const [{ vector, typed, unread, ...embedded }, suggested] = await Promise.all([
    readMeaning(services, tenant, plan, languages[0]),
    request.expand && plan.meaning ? services.expansion.model.terms(workspaceId, hash, plan.meaning) : undefined,
  ])
  const asked: Asked = {
    plan,
    query: {
      workspaceId,
      match: plan.match,
      query: plan.query,
      // Words have no say in a semantic search but for proposing what it then compares by meaning.
      terms: unread ? [] : plan.terms,
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
  return { asked, ...embedded }
}

/** The same for queries that differ in case, spacing or Unicode form only, in every mode; 32 hexadecimal digits. */
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
  asked: Asked,
  { page, pageSize, expand, explain = false }: SearchRequest,
): Promise<Page> {
  const proposal = await propose(tx, services, asked, expand)
  const { set, head } = proposal
  const total = Math.min(TOTAL_MAX, Math.max(set.total, head.length))
  const from = (page - 1) * pageSize
  const to = Math.min(page * pageSize, total)
  const beyond = to > head.length && from < to
  const ranking = beyond ? [...head, ...(await proposeTail(tx, services, proposal))] : head
  const results = ranking.slice(from, to)
  const memories = await services.reader().listed(
    tx,
    results.map(({ candidate }) => candidate.memoryId),
  )
  const explained = explain ? explainer(ranking, proposal.context, proposal.known.evidence) : undefined
  const found = results.flatMap(ranked => {
    const memory = memories.get(ranked.candidate.memoryId)
    // A memory that went between two statements of this transaction.
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
