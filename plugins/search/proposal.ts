import type { Tx } from '../../core/db/database.ts'
import type { MemoryReader } from '../memories/contract.ts'
import type { EvidenceSource, MemoryEvidence } from './contract.ts'
import type { Candidate, CandidateSet, EngineQuery, SearchEngine } from './engine/engine.ts'
import { EXPANSION_TEXTS, relatedTerms } from './expansion.ts'
import type { AskedQuery, Learned, LearnedForQuery } from './feedback/learned.ts'
import { withLiked } from './feedback/liked.ts'
import type { QueryPlan } from './query-plan.ts'
import { type Ranked, type RankingContext, rank, type Signal } from './ranking/rank.ts'
import { corrected } from './spelling/correct.ts'

/** What proposing and ranking work with. */
export interface ProposalServices {
  readonly engine: SearchEngine
  readonly learned: Learned
  readonly reader: () => MemoryReader
  /** What other plugins know of memories and queries. */
  readonly evidence: () => readonly EvidenceSource[]
  /** Cosine from which on a memory counts as a match. */
  readonly similarityFloor: number
  /** Signals that are left out of every ranking, to measure what each is worth. */
  readonly without: ReadonlySet<Signal>
}

/** What the engine proposed for a query, and the order the ranker gave it. */
export interface Proposal {
  readonly query: EngineQuery
  readonly set: CandidateSet
  readonly head: readonly Ranked[]
  readonly context: RankingContext
  readonly known: Known
}

/** What is known of the query beyond its words and meaning. */
interface Known {
  readonly learned: LearnedForQuery
  readonly evidence: ReadonlyMap<string, MemoryEvidence>
}

/** One query on its way: what it says, and how the engine is asked. */
export interface Asked {
  readonly plan: QueryPlan
  readonly query: EngineQuery
  readonly learning: AskedQuery
}

export async function propose(
  tx: Tx,
  services: ProposalServices,
  { plan, query: asked, learning }: Asked,
  expand: boolean,
): Promise<Proposal> {
  const [proposed, learned, evidence] = await Promise.all([
    services.engine.candidates(tx, asked),
    services.learned.load(tx, learning),
    plan.match === 'any' ? readEvidence(tx, services, learning, asked) : NOTHING_KNOWN,
  ])
  const { query, set } = await corrected(tx, services.engine, plan, asked, proposed)
  const first = await ranked(tx, services, plan, query, set, { learned, evidence })
  return expand ? expanded(tx, services, plan, first) : first
}

/** Pages beyond the head are ranked by themselves; their scores never exceed the head's last one. */
export async function proposeTail(
  tx: Tx,
  services: ProposalServices,
  { query, head, context, known }: Proposal,
): Promise<Ranked[]> {
  const ids = head.map(({ candidate }) => candidate.memoryId)
  const candidates = await services.engine.tail(tx, query, ids)
  const ceiling = head.at(-1)?.score ?? 1
  const feedback = await services.learned.forMemories(tx, query.workspaceId, known.learned, idsOf(candidates))
  return rank(candidates, { ...context, feedback }).map(one => ({ ...one, score: Math.min(ceiling, one.score) }))
}

const NOTHING_KNOWN: ReadonlyMap<string, MemoryEvidence> = new Map()

async function readEvidence(
  tx: Tx,
  { evidence }: ProposalServices,
  { workspaceId, query }: AskedQuery,
  { filter }: EngineQuery,
): Promise<ReadonlyMap<string, MemoryEvidence>> {
  const sources = evidence()
  if (sources.length === 0) return NOTHING_KNOWN
  const all = await Promise.all(
    sources.map(source => source.evidence(tx, { workspaceId, query, userId: filter.userId })),
  )
  const strongest = new Map<string, MemoryEvidence>()
  for (const [memoryId, given] of all.flatMap(found => [...found])) {
    const known = strongest.get(memoryId)
    if (!known || known.strength < given.strength) strongest.set(memoryId, given)
  }
  return strongest
}

/** Adds what feedback and other plugins speak for, and ranks all of it. */
async function ranked(
  tx: Tx,
  services: ProposalServices,
  plan: QueryPlan,
  query: EngineQuery,
  proposed: CandidateSet,
  known: Known,
): Promise<Proposal> {
  const { learned, evidence } = known
  const strengths = new Map([...evidence].map(([id, { strength }]) => [id, strength]))
  const set = await withLiked(tx, services.engine, query, proposed, new Map([...strengths, ...learned.signals]))
  const context: RankingContext = {
    mode: plan.mode,
    terms: plan.terms,
    related: query.related ?? [],
    // A word that was guessed for one with an error in typing is not what was asked for.
    clauses: query.corrections ? [] : plan.clauses,
    question: plan.question,
    corpus: set.corpus,
    cosineFloor: services.similarityFloor,
    balance: learned.balance,
    feedback: await services.learned.forMemories(tx, query.workspaceId, learned, idsOf(set.candidates)),
    entities: strengths,
    without: services.without,
    now: startOfHour(new Date()),
  }
  return { query, set, head: rank(set.candidates, context), context, known }
}

/** Asks again with words of the best results added. They only add matches, so nothing that was found gets lost. */
async function expanded(tx: Tx, services: ProposalServices, plan: QueryPlan, first: Proposal): Promise<Proposal> {
  if (plan.match === 'all' || first.head.length === 0) return first
  const best = idsOf(first.head.slice(0, EXPANSION_TEXTS).map(({ candidate }) => candidate))
  const memories = await services.reader().listed(tx, best)
  const related = relatedTerms(
    [...memories.values()].map(({ memory }) => memory),
    plan.terms,
  )
  if (related.length === 0) return first
  const query = { ...first.query, related }
  return ranked(tx, services, plan, query, await services.engine.candidates(tx, query), first.known)
}

function idsOf(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ memoryId }) => memoryId)
}

/** Ages are counted from here, so that the pages of one answer, read one after the other, have one order. */
function startOfHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000)
}
