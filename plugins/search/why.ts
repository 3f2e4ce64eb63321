import type { Tenant, Tx } from 'mneme/plugin'
import type { MemoryFilter, MemoryStanding, Relevance, SearchRequest } from '../memories/contract.ts'
import { type EngineQuery, type ExaminedCandidate, TOTAL_MAX } from './engine/engine.ts'
import { type Proposal, propose, proposeTail } from './proposal.ts'
import { explainer, type ScoreExplanation } from './ranking/explain.ts'
import { type Ranked, rank } from './ranking/rank.ts'
import { relevanceOf } from './ranking/relevance.ts'
import { ask, roundScore, type SearchServices } from './search.ts'

export type WhyCode =
  | 'FOUND'
  | 'EXPIRED'
  | 'CONSOLIDATED'
  | 'FILTERED'
  | 'EXCLUDED'
  | 'NO_MATCH'
  | 'NOT_EMBEDDED'
  | 'BEYOND_LAST_PAGE'

export interface Reason {
  code: WhyCode
  message: string
}

/** Why a memory is, or is not, in the results of a search. */
export interface WhyAnswer {
  memory_id: string
  found: boolean
  /** Place among the results, from 1. */
  rank: number | null
  /** The page of the asked size that shows it. */
  page: number | null
  total: number
  query_hash: string
  /** The score it has, or would have among the results if it passed; null when it is not indexed. */
  score: number | null
  relevance: Relevance | null
  /** Score of the first result. */
  best_score: number | null
  reasons: Reason[]
  explanation: ScoreExplanation | null
}

/** Runs the search and looks for one memory. @throws MEMORY_NOT_FOUND when the workspace has no such memory */
export async function why(
  services: SearchServices,
  tenant: Tenant,
  request: Omit<SearchRequest, 'page' | 'explain'>,
  memoryId: string,
): Promise<WhyAnswer> {
  const { asked } = await ask(services, tenant, request)
  return tenant.transaction(async tx => {
    const standing = await services.reader().standing(tx, memoryId)
    const proposal = await propose(tx, services, asked, request.expand)
    const ranking = await rankedUntil(tx, services, proposal, memoryId)
    const index = ranking.findIndex(({ candidate }) => candidate.memoryId === memoryId)
    const shown = index < 0 ? await hypothetical(tx, services, proposal, memoryId) : { ranking, ranked: ranking[index] }
    const explained = explainer(shown.ranking, proposal.context, proposal.known.evidence)
    const score = shown.ranked ? roundScore(shown.ranked.score) : null
    return {
      memory_id: memoryId,
      found: index >= 0,
      rank: index < 0 ? null : index + 1,
      page: index < 0 ? null : Math.floor(index / request.pageSize) + 1,
      total: Math.min(TOTAL_MAX, Math.max(proposal.set.total, proposal.head.length)),
      query_hash: asked.learning.queryHash,
      score,
      relevance: score === null ? null : relevanceOf(score),
      best_score: proposal.head[0] ? roundScore(proposal.head[0].score) : null,
      reasons: index >= 0 ? [foundAt(index)] : await missing(tx, services, proposal, memoryId, standing),
      explanation: shown.ranked ? explained(shown.ranked) : null,
    }
  })
}

/** The head, and the pages beyond it only when they are needed. */
async function rankedUntil(
  tx: Tx,
  services: SearchServices,
  proposal: Proposal,
  memoryId: string,
): Promise<readonly Ranked[]> {
  const { head, set } = proposal
  const inHead = head.some(({ candidate }) => candidate.memoryId === memoryId)
  if (inHead || set.total <= head.length) return head
  return [...head, ...(await proposeTail(tx, services, proposal))]
}

/** The place among the head that a memory would have if it were let in. */
async function hypothetical(
  tx: Tx,
  { engine }: SearchServices,
  { query, set, context }: Proposal,
  memoryId: string,
): Promise<{ ranking: readonly Ranked[]; ranked: Ranked | undefined }> {
  const { candidates } = await engine.features(tx, query, [memoryId])
  const ranking = rank([...set.candidates, ...candidates], context)
  return { ranking, ranked: ranking.find(({ candidate }) => candidate.memoryId === memoryId) }
}

function foundAt(index: number): Reason {
  return { code: 'FOUND', message: `It is result number ${index + 1}.` }
}

async function missing(
  tx: Tx,
  services: SearchServices,
  { query, context }: Proposal,
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
  for (const { names, filter } of oneByOne(query.filter)) {
    if ((await examine(filter))?.passesFilter) continue
    reasons.push({ code: 'FILTERED', message: `The filter ${names.join(' and ')} does not let it pass.` })
  }
  if (!candidate.holdsConditions) {
    reasons.push({ code: 'EXCLUDED', message: 'A quotation or an exclusion of the query does not hold in it.' })
  }
  if (!candidate.matches && candidate.holdsConditions) {
    reasons.push(mismatch(query, context, candidate, standing.status !== 'COMPLETED'))
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

/** Each filter by itself, with the names of its parameters. */
function oneByOne({ added = [], ...own }: MemoryFilter): { names: readonly string[]; filter: MemoryFilter }[] {
  return [
    ...Object.entries(own).map(([name, value]) => ({ names: [FILTER_NAMES[name] ?? name], filter: { [name]: value } })),
    ...added.map(filter => ({ names: filter.names, filter: { added: [filter] } })),
  ]
}

function mismatch(
  query: EngineQuery,
  { terms, cosineFloor }: Proposal['context'],
  { cosine, positions }: ExaminedCandidate,
  processing: boolean,
): Reason {
  if (query.match === 'all') {
    const lacking = terms.filter(term => !positions.has(term))
    const what = lacking.length > 0 ? ` It lacks ${lacking.join(', ')}.` : ''
    return { code: 'NO_MATCH', message: `In keyword mode a memory must hold every term.${what}` }
  }
  if (cosine === null) {
    const message = processing
      ? 'It has no vector yet, so only words find it, and it holds none of the query.'
      : 'It holds no word of the query, and there are no vectors to compare by meaning.'
    return { code: 'NOT_EMBEDDED', message }
  }
  const far = `its cosine of ${cosine.toFixed(3)} is below the floor of ${cosineFloor}`
  return { code: 'NO_MATCH', message: `It holds no word of the query, and ${far}.` }
}
