import { HOUR_MS, type Tx } from 'mneme/plugin'
import type { MemoryReader } from '../../memories/contract.ts'
import type { Candidate, CandidateSet, EngineQuery, Passages, SearchEngine } from '../engine/engine.ts'
import { TOTAL_MAX } from '../engine/engine.ts'
import { withGenericPlans } from '../engine/postgres/planner.ts'
import { withStatistics } from '../engine/with-statistics.ts'
import { type ExpansionServices, relatedTerms } from '../expansion/expansion.ts'
import type { LearnedForQuery } from '../feedback/learned.ts'
import type { Connection } from '../query/evidence.ts'
import type { QueryPlan } from '../query/plan.ts'
import type { PreparedQuery } from '../query/prepare.ts'
import { passageCosine } from '../ranking/meaning.ts'
import { type Ranked, type RankingContext, rank, type Signal } from '../ranking/rank.ts'
import { withCorrections } from '../spelling/correct.ts'
import { type JudgementServices, type Judgements, judgements, withJudgements } from './judgements.ts'

/** The services that retrieval and ranking need. */
export interface RetrievalServices extends JudgementServices {
  readonly engine: SearchEngine
  readonly reader: () => MemoryReader
  /** The sources of related words. */
  readonly expansion: ExpansionServices
  /** A memory matches by meaning from this cosine on. */
  readonly similarityFloor: number
  /** Signals that every ranking leaves out, to measure the value of each. */
  readonly without: ReadonlySet<Signal>
}

/** The candidates of a query and their ranking. */
export interface Retrieval {
  readonly query: EngineQuery
  readonly set: CandidateSet
  /** The engine's own matches; the total of `set` also counts memories that passages, feedback or other plugins added. */
  readonly retrievedTotal: number
  readonly head: readonly Ranked[]
  readonly context: RankingContext
  readonly judged: Judgements
  readonly known: KnownEvidence
}

/** Knowledge about the query beyond its words and meaning. */
interface KnownEvidence {
  /** The query as typed. */
  readonly text: string
  readonly learned: LearnedForQuery
  readonly evidence: ReadonlyMap<string, Connection>
  readonly passages: Passages
}

export async function retrieve(
  tx: Tx,
  services: RetrievalServices,
  prepared: PreparedQuery,
  expand: boolean,
): Promise<Retrieval> {
  const first = await withGenericPlans(tx, () => retrieveByQuery(tx, services, prepared))
  return expand ? withExpansion(tx, services, prepared, first) : first
}

async function retrieveByQuery(
  tx: Tx,
  services: RetrievalServices,
  { plan, learning, evidence, query: asked }: PreparedQuery,
): Promise<Retrieval> {
  const [found, learned] = await Promise.all([
    findWithPassages(tx, services.engine, asked),
    services.learned.load(tx, learning),
  ])
  const { passages } = found
  const { query, set } = await withCorrections(tx, services.engine, plan, found.query, found.set)
  return rankCandidates(tx, services, plan, query, set, { text: learning.query, learned, evidence, passages })
}

/** Ranks the candidates beyond the head separately; their scores never exceed the last one of the head. */
export async function retrieveTail(
  tx: Tx,
  services: RetrievalServices,
  { query, head, context, known }: Retrieval,
): Promise<Ranked[]> {
  const ids = head.map(({ candidate }) => candidate.memoryId)
  const candidates = await services.engine.tail(tx, query, ids)
  const ceiling = head.at(-1)?.score ?? 1
  const judged = await judgements(tx, services, { context, query, known }, idsOf(candidates))
  return rank(candidates, { ...withJudgements(context, judged), ceiling })
}

/** Corrected words change no passage, so these are sought beside the first candidates, and neither waits for the other. */
async function findWithPassages(tx: Tx, engine: SearchEngine, asked: EngineQuery) {
  const query = await withStatistics(tx, engine, asked)
  const finding = findPassages(tx, engine, query)
  const further = finding.then(passages => [...passages.keys()])
  // An engine need not wait for them, and whoever waits for the passages hears of their failure.
  further.catch(() => undefined)
  const [set, passages] = await Promise.all([engine.candidates(tx, query, undefined, further), finding])
  return { query, set, passages }
}

/** Adds memories with feedback or evidence and the session neighbours of the best results, and ranks all candidates. */
async function rankCandidates(
  tx: Tx,
  services: RetrievalServices,
  plan: QueryPlan,
  query: EngineQuery,
  retrieved: CandidateSet,
  known: KnownEvidence,
): Promise<Retrieval> {
  const { learned, evidence, passages } = known
  const strengths = new Map([...evidence].map(([id, { entities, facts }]) => [id, Math.max(entities, facts)]))
  // The vector of a whole long text says little about a detail of it, so that only a passage may lead to it.
  const further = [...likedMemories(retrieved, learned.signals, strengths), ...passages.keys()]
  const proposed = await withFurther(tx, services.engine, query, retrieved, further)
  const context: RankingContext = {
    mode: plan.mode,
    terms: plan.terms,
    related: query.related ?? [],
    // A corrected word is a guess, so the query's own clauses no longer describe what was asked.
    clauses: query.corrections ? [] : plan.clauses,
    question: plan.question,
    corpus: proposed.corpus,
    cosineFloor: services.similarityFloor,
    balance: learned.balance,
    connections: evidence,
    passages,
    without: services.without,
    now: startOfHour(new Date()),
  }
  const judge = (ids: readonly string[], before?: Judgements) =>
    judgements(tx, services, { context, query, known }, ids, before)
  const proposedJudged = await judge(idsOf(proposed.candidates))
  const instead = toldInstead(proposed, proposedJudged)
  const set = await withFurther(tx, services.engine, query, proposed, instead)
  const judged = instead.length === 0 ? proposedJudged : await judge(idsOf(set.candidates), proposedJudged)
  const first = withJudgements(context, judged)
  const head = rank(set.candidates, first)
  const wider = await withSessionNeighbours(tx, services.engine, query, set, head)
  const retrieval = { query, set, retrievedTotal: retrieved.total, head, context: first, judged, known }
  if (wider === set) return retrieval
  const widerJudged = await judge(idsOf(wider.candidates), judged)
  const second = withJudgements(context, widerJudged)
  return { ...retrieval, set: wider, head: rank(wider.candidates, second), context: second, judged: widerJudged }
}

/** Repeats the retrieval with related words. They only add matches, so earlier results are kept. */
async function withExpansion(
  tx: Tx,
  services: RetrievalServices,
  { plan, learning, languages, suggested }: PreparedQuery,
  first: Retrieval,
): Promise<Retrieval> {
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
  return withGenericPlans(tx, () => retrieveWider(tx, services, plan, { ...first.query, related }, first))
}

async function retrieveWider(
  tx: Tx,
  services: RetrievalServices,
  plan: QueryPlan,
  asked: EngineQuery,
  first: Retrieval,
): Promise<Retrieval> {
  const query = await withStatistics(tx, services.engine, asked)
  const wider = await services.engine.candidates(tx, query)
  // Added memories are added and counted again with the wider query.
  const earlier = { ...first.set, total: first.retrievedTotal }
  const set = await withEarlierResults(tx, services.engine, query, wider, earlier)
  return rankCandidates(tx, services, plan, query, set, first.known)
}

function idsOf(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ memoryId }) => memoryId)
}

/** Ages are counted from the full hour, so that pages requested one after the other share one order. */
function startOfHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
}

const NO_PASSAGES: Passages = new Map()

/** Finds the passages of long texts that match a query; a workspace without long texts has no cost. */
async function findPassages(tx: Tx, engine: SearchEngine, query: EngineQuery): Promise<Passages> {
  if (!query.statistics?.hasPassages || !query.vector || query.match === 'all') return NO_PASSAGES
  const { floor } = query.vector
  const nearest = await engine.nearestPassages(tx, query)
  return new Map([...nearest].filter(([, passage]) => passageCosine(passage) >= floor))
}

/** A search adds at most this many of them, those for the nearest candidates first. */
const INSTEAD_MAX = 50

/**
 * Lists memories that tell what holds in place of what candidates tell, and are not among them: they may share neither words nor meaning with the
 * query.
 */
function toldInstead({ candidates }: CandidateSet, { ended }: Pick<Judgements, 'ended'>): string[] {
  if (ended.size === 0) return []
  const proposed = new Set(candidates.map(({ memoryId }) => memoryId))
  const nearest = candidates
    .filter(({ memoryId }) => ended.has(memoryId))
    .toSorted((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1))
  const told = new Set(nearest.flatMap(({ memoryId }) => ended.get(memoryId) ?? []))
  return [...told].filter(memoryId => !proposed.has(memoryId)).slice(0, INSTEAD_MAX)
}

/**
 * Adds results that were found without expansion but crowded out of the candidates, so that a wider search never shows less than a narrow
 * one.
 */
async function withEarlierResults(
  tx: Tx,
  engine: SearchEngine,
  query: EngineQuery,
  wider: CandidateSet,
  narrow: CandidateSet,
): Promise<CandidateSet> {
  const proposed = new Set(wider.candidates.map(({ memoryId }) => memoryId))
  const crowdedOut = narrow.candidates.map(({ memoryId }) => memoryId).filter(id => !proposed.has(id))
  const total = Math.max(wider.total, narrow.total)
  if (crowdedOut.length === 0) return { ...wider, total }
  const { candidates } = await engine.features(tx, query, crowdedOut)
  // Memories that feedback or other plugins added are added again later.
  return { ...wider, candidates: [...wider.candidates, ...candidates.filter(({ matches }) => matches)], total }
}

/** A search adds at most this many liked memories, the most liked first. */
const LIKED_MAX = 50

/**
 * Lists memories that were liked for this query or similar ones, or that other plugins connect with it, and are not among the candidates.
 * Among very many matches a helpful memory may not be retrieved, and it may share neither words nor meaning with the query.
 *
 * @param signals the feedback on memories, which takes no evidence away: what was disliked sinks in the ranking and is never hidden
 * @param evidence the strength of the evidence of other plugins
 */
function likedMemories(
  { candidates }: CandidateSet,
  signals: ReadonlyMap<string, number>,
  evidence: ReadonlyMap<string, number>,
): string[] {
  const proposed = new Set(candidates.map(({ memoryId }) => memoryId))
  return [...new Set([...signals.keys(), ...evidence.keys()])]
    .map(memoryId => [memoryId, Math.max(signals.get(memoryId) ?? 0, evidence.get(memoryId) ?? 0)] as const)
    .filter(([memoryId, strength]) => strength > 0 && !proposed.has(memoryId))
    .sort(([, a], [, b]) => b - a)
    .slice(0, LIKED_MAX)
    .map(([memoryId]) => memoryId)
}

/** Neighbours are added for this many of the best results; further down they carry too little information. */
const BEST = 20

/**
 * Adds matches right before and after the best results in their sessions, if there are more matches than candidates. The statement that
 * answers a question often stands next to it, but ranks low by words and meaning.
 */
async function withSessionNeighbours(
  tx: Tx,
  engine: SearchEngine,
  query: EngineQuery,
  set: CandidateSet,
  ranking: readonly Ranked[],
): Promise<CandidateSet> {
  if (query.match === 'all' || set.total <= set.candidates.length) return set
  const ids = ranking
    .slice(0, BEST)
    .filter(({ candidate }) => candidate.sessionPosition !== null)
    .map(({ candidate }) => candidate.memoryId)
  if (ids.length === 0) return set
  const known = new Set(set.candidates.map(({ memoryId }) => memoryId))
  const sessionNeighbours = await engine.sessionNeighbours(tx, query, ids)
  const added = sessionNeighbours.filter(({ memoryId, matches }) => matches && !known.has(memoryId))
  return added.length === 0 ? set : { ...set, candidates: [...set.candidates, ...added] }
}

/**
 * Adds memories that something other than the engine's lists leads to, whatever their own likeness to the query. Filters still apply, and
 * in keyword mode every clause.
 */
async function withFurther(
  tx: Tx,
  engine: SearchEngine,
  query: EngineQuery,
  set: CandidateSet,
  ids: readonly string[],
): Promise<CandidateSet> {
  const { further: read = [], ...own } = set
  const known = new Set([...own.candidates, ...read].map(({ memoryId }) => memoryId))
  const missing = [...new Set(ids)].filter(id => !known.has(id))
  const { vector } = query
  const anyMeaning = vector ? { ...query, vector: { ...vector, floor: -1 } } : query
  const others = missing.length > 0 ? (await engine.features(tx, anyMeaning, missing)).candidates : []
  const added = [...read, ...others].filter(({ matches }) => matches)
  if (added.length === 0) return own
  // The remaining ones are already included in the total.
  const further = added.filter(
    ({ cosine, positions }) => positions.size === 0 && (cosine ?? -1) < (vector?.floor ?? 1),
  ).length
  return {
    ...own,
    candidates: [...own.candidates, ...added],
    total: Math.min(TOTAL_MAX, own.total + further),
  }
}
