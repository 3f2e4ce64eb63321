import type { Tx } from 'mneme/plugin'
import type { MemoryReader } from '../memories/contract.ts'
import { withBeside } from './beside.ts'
import type { EvidenceSource, MemoryEvidence } from './contract.ts'
import type { Candidate, CandidateSet, EngineQuery, SearchEngine } from './engine/engine.ts'
import { type ExpansionServices, relatedTerms } from './expansion/expansion.ts'
import { withFound } from './expansion/found.ts'
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
  /** Where related words come from. */
  readonly expansion: ExpansionServices
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
  /** Those that the query is read in, its own first. */
  readonly languages: readonly string[]
  /** Words that a language model suggests beside those of the query; undefined for local means. */
  readonly suggested?: readonly string[] | undefined
}

export async function propose(tx: Tx, services: ProposalServices, asked: Asked, expand: boolean): Promise<Proposal> {
  const { plan, learning } = asked
  const [proposed, learned, evidence] = await Promise.all([
    services.engine.candidates(tx, asked.query),
    services.learned.load(tx, learning),
    plan.match === 'any' ? readEvidence(tx, services, learning, asked.query) : NOTHING_KNOWN,
  ])
  const { query, set } = await corrected(tx, services.engine, plan, asked.query, proposed)
  const first = await ranked(tx, services, plan, query, set, { learned, evidence })
  return expand ? expanded(tx, services, asked, first) : first
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
  return rank(candidates, { ...context, feedback, ceiling })
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

/** Adds what feedback and other plugins speak for and what stands beside the best, and ranks all of it. */
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
    entities: strengths,
    without: services.without,
    now: startOfHour(new Date()),
  }
  const feedbackOf = (ids: readonly string[]) => services.learned.forMemories(tx, query.workspaceId, learned, ids)
  const first = { ...context, feedback: await feedbackOf(idsOf(set.candidates)) }
  const head = rank(set.candidates, first)
  const wider = await withBeside(tx, services.engine, query, set, head)
  if (wider === set) return { query, set, head, context: first, known }
  const second = { ...context, feedback: await feedbackOf(idsOf(wider.candidates)) }
  return { query, set: wider, head: rank(wider.candidates, second), context: second, known }
}

/** Asks again with related words. They only add matches, so nothing that was found gets lost. */
async function expanded(
  tx: Tx,
  services: ProposalServices,
  { plan, learning, languages, suggested }: Asked,
  first: Proposal,
): Promise<Proposal> {
  const { terms, filter } = first.query
  if (plan.match === 'all' || terms.length === 0) return first
  const { workspaceId, query: text } = learning
  const related = await relatedTerms(tx, services.expansion, {
    workspaceId,
    query: text,
    userId: filter.userId,
    terms,
    variants: plan.variants,
    languages,
    suggested,
    corpus: first.set.corpus,
    best: idsOf(first.head.map(({ candidate }) => candidate)),
  })
  if (related.length === 0) return first
  const query = { ...first.query, related }
  const wider = await services.engine.candidates(tx, query)
  const set = await withFound(tx, services.engine, query, wider, first.set)
  return ranked(tx, services, plan, query, set, first.known)
}

function idsOf(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ memoryId }) => memoryId)
}

/** Ages are counted from here, so that the pages of one answer, read one after the other, have one order. */
function startOfHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000)
}
