import { HOUR_MS, type Tx } from 'mneme/plugin'
import type { MemoryReader } from '../../memories/contract.ts'
import type { EndedMemories, EndedSource } from '../contract.ts'
import { tokenLikenesses } from '../embedding/token-signs.ts'
import {
  type Candidate,
  type CandidateSet,
  type EngineQuery,
  type Passages,
  type SearchEngine,
  TOTAL_MAX,
} from '../engine/engine.ts'
import { withGenericPlans, withUsualPlans } from '../engine/postgres/planner.ts'
import { withStatistics } from '../engine/terms.ts'
import { type ExpansionServices, relatedTerms } from '../expansion/expansion.ts'
import type { Learned, LearnedForQuery } from '../feedback/feedback.ts'
import type { PreparedQuery } from '../query/prepare.ts'
import { passageCosine } from '../ranking/meaning.ts'
import { type Ranked, rank } from '../ranking/rank.ts'
import { roundScore } from '../ranking/score.ts'
import type { RankingContext } from '../ranking/signal.ts'
import { withCorrections } from '../spelling/correct.ts'

/** The services that retrieval and ranking need. */
export interface RetrievalServices {
  readonly engine: SearchEngine
  readonly reader: () => MemoryReader
  readonly learned: Learned
  /** The sources of other plugins that know what holds no more. */
  readonly ended: () => readonly EndedSource[]
  /** The sources of related words. */
  readonly expansion: ExpansionServices
  /** A memory matches by meaning from this cosine on. */
  readonly similarityFloor: number
  /** Signals that every ranking leaves out, to measure the value of each. */
  readonly without: ReadonlySet<string>
}

/** The candidates of a query and their ranking. */
export interface Retrieval extends Found {
  readonly head: readonly Ranked[]
  readonly context: RankingContext
}

/** The candidates of a query, before they are judged and ranked. */
interface Found {
  readonly prepared: PreparedQuery
  readonly learned: LearnedForQuery
  readonly passages: Passages
  readonly query: EngineQuery
  readonly set: CandidateSet
  /** The engine's own matches; the total of `set` also counts memories that passages, feedback or other plugins added. */
  readonly retrievedTotal: number
}

/** Retrieves the candidates of a query, of a wider one where that is wanted, and judges and ranks them once. */
export async function retrieve(
  tx: Tx,
  services: RetrievalServices,
  prepared: PreparedQuery,
  expand: boolean,
): Promise<Retrieval> {
  if (!expand) {
    return withGenericPlans(tx, async () => judgeAndRank(tx, services, await find(tx, services, prepared)))
  }
  const narrow = await withGenericPlans(tx, () => find(tx, services, prepared))
  const related = await relatedTo(tx, services, narrow)
  return withGenericPlans(tx, async () =>
    judgeAndRank(tx, services, related.length === 0 ? narrow : await findWider(tx, services.engine, narrow, related)),
  )
}

/** The number of memories that match, of which a search may leave out those of too low a score. */
export function matchesOf({ set, head }: Retrieval): number {
  return Math.min(TOTAL_MAX, Math.max(set.total, head.length))
}

/** Tells whether a result has at least this score, as responses show it. */
export function reaches({ score }: Ranked, minScore: number): boolean {
  return roundScore(score) >= minScore
}

/** Tells whether matches beyond the head, which score no more than its last one, may have at least this score. */
export function isTailWanted(retrieval: Retrieval, minScore: number): boolean {
  const last = retrieval.head.at(-1)
  return matchesOf(retrieval) > retrieval.head.length && (!last || reaches(last, minScore))
}

/** Ranks the candidates beyond the head separately; their scores never exceed the last one of the head. */
export async function retrieveTail(tx: Tx, services: RetrievalServices, retrieval: Retrieval): Promise<Ranked[]> {
  const { query, head, context } = retrieval
  const candidates = await services.engine.tail(tx, query, idsOf(head.map(({ candidate }) => candidate)))
  const judged = await withJudgements(tx, services, retrieval, context, idsOf(candidates))
  return rank(candidates, { ...judged, ceiling: head.at(-1)?.score ?? 1 })
}

/** Ranks the head as if it contained a memory; unchanged where that is not indexed. */
export async function rankWith(
  tx: Tx,
  services: RetrievalServices,
  retrieval: Retrieval,
  memoryId: string,
): Promise<Ranked[]> {
  const { query, set, context } = retrieval
  const [{ candidates }, judged] = await Promise.all([
    services.engine.features(tx, query, [memoryId]),
    withJudgements(tx, services, retrieval, context, [memoryId]),
  ])
  const compared = await withLikenesses(tx, query, set.candidates, judged, idsOf(candidates))
  return rank([...set.candidates, ...candidates], compared)
}

async function find(tx: Tx, { engine, learned: feedback }: RetrievalServices, prepared: PreparedQuery): Promise<Found> {
  const asked = await withStatistics(tx, engine, prepared.query)
  const [first, passages, learned] = await Promise.all([
    engine.candidates(tx, asked),
    // Corrected words change no passage.
    findPassages(tx, engine, asked),
    feedback.load(tx, prepared.learning),
  ])
  const { query, set } = await withCorrections(tx, engine, prepared.plan, asked, first)
  return withLed(tx, engine, { prepared, learned, passages, query, set, retrievedTotal: set.total })
}

/** Repeats the retrieval with related words. They only add matches, so earlier results are kept. */
async function findWider(tx: Tx, engine: SearchEngine, narrow: Found, related: readonly string[]): Promise<Found> {
  const query = await withStatistics(tx, engine, { ...narrow.query, related })
  const wider = await engine.candidates(tx, query)
  // Memories that feedback or other plugins led to are added and counted again with the wider query.
  const earlier = { ...narrow.set, total: narrow.retrievedTotal }
  const set = await withEarlierResults(tx, engine, query, wider, earlier)
  return withLed(tx, engine, { ...narrow, query, set, retrievedTotal: set.total })
}

/** Finds words related to a query, some of them by the best results so far. */
async function relatedTo(tx: Tx, services: RetrievalServices, found: Found): Promise<readonly string[]> {
  const { prepared, query, set } = found
  const { plan, learning, languages, suggested } = prepared
  if (plan.match === 'all' || query.terms.length === 0) return []
  return relatedTerms(tx, services.expansion, {
    workspaceId: learning.workspaceId,
    query: learning.query,
    userId: query.filter.userId,
    terms: query.terms,
    variants: plan.variants,
    languages,
    suggested,
    corpus: set.corpus,
    best: idsOf(rank(set.candidates, contextOf(services, found)).map(({ candidate }) => candidate)),
  })
}

/** Adds the memories that passages, feedback and other plugins lead to. */
async function withLed(tx: Tx, engine: SearchEngine, found: Found): Promise<Found> {
  const { prepared, learned, passages, query, set } = found
  const strengths = new Map([...prepared.evidence].map(([id, { entities, facts }]) => [id, Math.max(entities, facts)]))
  // The vector of a whole long text says little about a detail of it, so that only a passage may lead to it.
  const led = [...likedMemories(set, learned.signals, strengths), ...passages.keys()]
  return { ...found, set: await withFurther(tx, engine, query, set, led) }
}

/** Adds the neighbours of the best candidates and what holds in place of others, and ranks all of them. */
async function judgeAndRank(tx: Tx, services: RetrievalServices, found: Found): Promise<Retrieval> {
  const { engine } = services
  const { query } = found
  const unjudged = contextOf(services, found)
  const near = await withSessionNeighbours(tx, engine, query, found.set, unjudged)
  const judged = await withJudgements(tx, services, found, unjudged, idsOf(near.candidates))
  const instead = toldInstead(near, judged.ended)
  const set = await withFurther(tx, engine, query, near, instead)
  const known = instead.length > 0 ? await withJudgements(tx, services, found, judged, instead) : judged
  const context = await withLikenesses(tx, query, set.candidates, known)
  return { ...found, set, head: rank(set.candidates, context), context }
}

/** So many of the best candidates are compared by their tokens. */
const COMPARED_MAX = 50

/** Compares the best candidates and a memory beside them with the query by their tokens. */
async function withLikenesses<C extends RankingContext>(
  tx: Tx,
  query: EngineQuery,
  candidates: readonly Candidate[],
  context: C,
  beside: readonly string[] = [],
): Promise<C> {
  if (context.mode === 'keyword' || !query.vector?.tokens || context.without?.has('tokens')) return context
  const best = candidates.length <= COMPARED_MAX ? candidates : rank(candidates, context).map(one => one.candidate)
  const ids = [...idsOf(best.slice(0, COMPARED_MAX)), ...beside]
  return { ...context, likenesses: await tokenLikenesses(tx, query, ids) }
}

function contextOf(services: RetrievalServices, { prepared, learned, passages, query, set }: Found): RankingContext {
  const { plan, evidence } = prepared
  return {
    mode: plan.mode,
    terms: plan.terms,
    related: query.related ?? [],
    // A corrected word is a guess, so the query's own clauses no longer describe what was asked.
    clauses: query.corrections ? [] : plan.clauses,
    question: plan.question,
    corpus: set.corpus,
    cosineFloor: services.similarityFloor,
    balance: learned.balance,
    connections: evidence,
    passages,
    without: services.without,
    now: startOfHour(new Date()),
  }
}

type Judged = RankingContext & Required<Pick<RankingContext, 'feedback' | 'ended'>>

/** Adds what is known of memories by their ids: the feedback on them for the query, and whether they tell only what holds no more. */
async function withJudgements(
  tx: Tx,
  { learned, ended: sources }: Pick<RetrievalServices, 'learned' | 'ended'>,
  found: Pick<Found, 'prepared' | 'learned'>,
  context: RankingContext,
  memoryIds: readonly string[],
): Promise<Judged> {
  const { workspaceId, query } = found.prepared.learning
  // In keyword mode texts are found for their words alone. What has ended may have held at the time that a query names.
  const asksForNow =
    context.mode !== 'keyword' && !context.question.isOfAnotherTime && !context.without?.has('validity')
  const asked = asksForNow ? sources() : []
  const [feedback, ended] = await Promise.all([
    learned.forMemories(tx, workspaceId, found.learned, memoryIds),
    asked.length === 0
      ? []
      : withUsualPlans(tx, () => Promise.all(asked.map(one => one.ended(tx, { workspaceId, query, memoryIds })))),
  ])
  const known = new Map(context.feedback)
  for (const id of memoryIds) known.set(id, feedback.get(id) ?? 0)
  return {
    ...context,
    feedback: known,
    ended: new Map([...(context.ended ?? []), ...ended.flatMap(known => [...known])]),
  }
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
function toldInstead({ candidates }: CandidateSet, ended: EndedMemories): string[] {
  if (ended.size === 0) return []
  const proposed = new Set(idsOf(candidates))
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
  const proposed = new Set(idsOf(wider.candidates))
  const crowdedOut = idsOf(narrow.candidates).filter(id => !proposed.has(id))
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
  const proposed = new Set(idsOf(candidates))
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
  context: RankingContext,
): Promise<CandidateSet> {
  if (query.match === 'all' || set.total <= set.candidates.length) return set
  const ids = rank(set.candidates, context)
    .slice(0, BEST)
    .filter(({ candidate }) => candidate.sessionPosition !== null)
    .map(({ candidate }) => candidate.memoryId)
  if (ids.length === 0) return set
  const known = new Set(idsOf(set.candidates))
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
  const known = new Set(idsOf(set.candidates))
  const missing = [...new Set(ids)].filter(id => !known.has(id))
  if (missing.length === 0) return set
  const { vector } = query
  const anyMeaning = vector ? { ...query, vector: { ...vector, floor: -1 } } : query
  const { candidates } = await engine.features(tx, anyMeaning, missing)
  const added = candidates.filter(({ matches }) => matches)
  // The remaining ones are already included in the total.
  const further = added.filter(
    ({ cosine, positions }) => positions.size === 0 && (cosine ?? -1) < (vector?.floor ?? 1),
  ).length
  return {
    ...set,
    candidates: [...set.candidates, ...added],
    total: Math.min(TOTAL_MAX, set.total + further),
  }
}
