import { createHash } from 'node:crypto'
import type { Tenant } from '../../core/auth/caller.ts'
import type { Tx } from '../../core/db/database.ts'
import { fail } from '../../core/errors.ts'
import type { FoundMemory, MemoryReader, SearchAnswer, SearchRequest } from '../memories/contract.ts'
import type { QueryEmbedder } from './embedding/query-embedder.ts'
import { type CandidateSet, type EngineQuery, type SearchEngine, TOTAL_MAX } from './engine/engine.ts'
import { EXPANSION_TEXTS, relatedTerms } from './expansion.ts'
import type { Learned, LearnedForQuery } from './feedback/learned.ts'
import { withLiked } from './feedback/liked.ts'
import type { QueryLog } from './log/query-log.ts'
import { planQuery, type QueryPlan } from './query-plan.ts'
import { type Ranked, rank } from './ranking/rank.ts'
import { relevanceOf } from './ranking/relevance.ts'

export interface SearchServices {
  readonly engine: SearchEngine
  readonly embedder: QueryEmbedder
  readonly log: QueryLog
  readonly learned: Learned
  readonly reader: () => MemoryReader
  /** Cosine from which on a memory counts as a match. */
  readonly similarityFloor: number
}

/**
 * One search: the engine proposes, the ranker decides, the page is read. The query is embedded before the transaction
 * opens, so that no connection waits for a model.
 */
export async function search(services: SearchServices, tenant: Tenant, request: SearchRequest): Promise<SearchAnswer> {
  const startedAt = performance.now()
  const plan = planQuery(request)
  const { vector, warning } = await embedQuery(services, tenant, plan)
  const query: EngineQuery = {
    workspaceId: tenant.workspaceId,
    match: plan.match,
    query: plan.query,
    terms: plan.terms,
    filter: request.filter,
    ...(vector ? { vector: { ...vector, floor: services.similarityFloor } } : {}),
  }
  const { page, total, bestScore } = await tenant.transaction(tx => readPage(tx, services, query, plan, request))
  services.reader().countAccess(
    tenant.workspaceId,
    page.map(memory => memory.id),
  )
  const hash = queryHash(request.query)
  services.log.add({
    workspaceId: tenant.workspaceId,
    query: request.query,
    queryHash: hash,
    mode: request.mode,
    userId: request.filter.userId ?? null,
    results: total,
    bestScore,
    durationMs: performance.now() - startedAt,
    createdAt: new Date(),
  })
  return {
    data: page,
    total,
    page: request.page,
    page_size: request.pageSize,
    query_hash: hash,
    ...(warning ? { warning } : {}),
  }
}

/** The same for queries that differ in case, spacing or Unicode form only, in every mode; 32 hexadecimal digits. */
export function queryHash(query: string): string {
  const normal = query.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ')
  return createHash('sha256').update(normal).digest('hex').slice(0, 32)
}

const NO_MEANING = 'The embedding model is not available at the moment: these results match by words only.'

async function embedQuery({ embedder }: SearchServices, tenant: Tenant, plan: QueryPlan) {
  if (plan.meaning === undefined) return {}
  const embedded = await embedder.embed(tenant.workspaceId, plan.meaning)
  if ('vector' in embedded) return { vector: embedded.vector }
  if (plan.mode === 'semantic') {
    throw fail('SERVICE_UNAVAILABLE', {
      message: 'The embedding model is not available at the moment; retry shortly, or search by keyword.',
      retryAfterSeconds: embedded.retryAfterSeconds,
      cause: embedded.cause,
    })
  }
  return { warning: NO_MEANING }
}

interface Page {
  readonly page: FoundMemory[]
  readonly total: number
  readonly bestScore: number | null
}

async function readPage(
  tx: Tx,
  services: SearchServices,
  asked: EngineQuery,
  plan: QueryPlan,
  { query: text, page, pageSize, expand }: SearchRequest,
): Promise<Page> {
  const { workspaceId, vector } = asked
  const learning = services.learned.load(tx, {
    workspaceId,
    query: text,
    queryHash: queryHash(text),
    ...(vector ? { vector } : {}),
  })
  const first = await proposeAndRank(tx, services, asked, plan, learning)
  const { query, set, head, learned } = expand ? await expanded(tx, services, plan, first) : first
  const total = Math.min(TOTAL_MAX, Math.max(set.total, head.length))
  const from = (page - 1) * pageSize
  const to = Math.min(page * pageSize, total)
  const beyond = to > head.length && from < to
  const ranking = beyond ? [...head, ...(await readTail(tx, services, plan, { query, set, head, learned }))] : head
  const results = ranking.slice(from, to)
  const memories = await services.reader().listed(
    tx,
    results.map(({ candidate }) => candidate.memoryId),
  )
  const found = results.flatMap(({ candidate, score }) => {
    const memory = memories.get(candidate.memoryId)
    // A memory that went between two statements of this transaction.
    if (!memory) return []
    const rounded = roundScore(score)
    return [{ ...memory, score: rounded, relevance: relevanceOf(rounded) }]
  })
  return { page: found, total, bestScore: head[0] ? roundScore(head[0].score) : null }
}

/** What the engine proposed for a query, and the order the ranker gave it. */
interface Proposal {
  readonly query: EngineQuery
  readonly set: CandidateSet
  readonly head: readonly Ranked[]
  readonly learned: LearnedForQuery
}

async function proposeAndRank(
  tx: Tx,
  services: SearchServices,
  query: EngineQuery,
  plan: QueryPlan,
  learning: LearnedForQuery | Promise<LearnedForQuery>,
): Promise<Proposal> {
  const [proposed, learned] = await Promise.all([services.engine.candidates(tx, query), learning])
  const set = await withLiked(tx, services.engine, query, proposed, learned.signals)
  return {
    query,
    set,
    head: await rankCandidates(tx, services, set.candidates, plan, { query, set, learned }),
    learned,
  }
}

/** Asks again with words of the best results added. They only add matches, so nothing that was found gets lost. */
async function expanded(tx: Tx, services: SearchServices, plan: QueryPlan, first: Proposal): Promise<Proposal> {
  if (plan.match === 'all' || first.head.length === 0) return first
  const best = first.head.slice(0, EXPANSION_TEXTS).map(({ candidate }) => candidate.memoryId)
  const memories = await services.reader().listed(tx, best)
  const related = relatedTerms(
    [...memories.values()].map(({ memory }) => memory),
    plan.terms,
  )
  if (related.length === 0) return first
  return proposeAndRank(tx, services, { ...first.query, related }, plan, first.learned)
}

/** Pages beyond the head are ranked by themselves; their scores never exceed the head's last one. */
async function readTail(
  tx: Tx,
  services: SearchServices,
  plan: QueryPlan,
  { query, set, head, learned }: Proposal,
): Promise<Ranked[]> {
  const ids = head.map(({ candidate }) => candidate.memoryId)
  const candidates = await services.engine.tail(tx, query, ids)
  const ceiling = head.at(-1)?.score ?? 1
  const ranking = await rankCandidates(tx, services, candidates, plan, { query, set, learned })
  return ranking.map(ranked => ({
    ...ranked,
    score: Math.min(ceiling, ranked.score),
  }))
}

async function rankCandidates(
  tx: Tx,
  { learned: learning, similarityFloor }: SearchServices,
  candidates: CandidateSet['candidates'],
  plan: QueryPlan,
  { query: { workspaceId, related = [] }, set: { corpus }, learned }: Omit<Proposal, 'head'>,
): Promise<Ranked[]> {
  const ids = candidates.map(({ memoryId }) => memoryId)
  const feedback = await learning.forMemories(tx, workspaceId, learned, ids)
  return rank(candidates, {
    mode: plan.mode,
    terms: plan.terms,
    related,
    clauses: plan.clauses,
    question: plan.question,
    corpus,
    cosineFloor: similarityFloor,
    balance: learned.balance,
    feedback,
    now: startOfHour(new Date()),
  })
}

/** Ages are counted from here, so that the pages of one answer, read one after the other, have one order. */
function startOfHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000)
}

function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000
}
