import type { Tx } from 'mneme/plugin'
import type { AddedFilter } from '../../../memories/contract.ts'
import {
  type CandidateSet,
  type CorpusStatistics,
  type EngineQuery,
  type Proposal,
  type SearchEngine,
  TOTAL_MAX,
} from '../engine.ts'
import { candidatesByIds } from '../postgres/by-ids.ts'
import type { VectorType } from '../postgres/embeddings.ts'
import { allTerms, countMatches } from '../postgres/matches.ts'
import { statisticsOf } from '../postgres/statistics.ts'
import type { IndexParts } from './index-state.ts'
import { Misconfigured, Rejected, typesenseCircuit } from './messages.ts'
import { type Pending, readPending } from './outbox.ts'
import {
  IDS_MAX,
  type IndexCandidates,
  isExact,
  planSearches,
  type RecallCheck,
  type SearchPlan,
  toIndexFilter,
} from './searches.ts'
import type { Upkeep } from './upkeep.ts'

interface CandidateParts extends Pick<IndexParts, 'server' | 'index' | 'log'> {
  readonly upkeep: Upkeep
  readonly postgres: SearchEngine
  readonly type: VectorType
  readonly recall: RecallCheck
}

type Run = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** A search checks this many pending memories of a workspace; with more of them Postgres serves it alone. */
const PENDING_MAX = 300

const AWAY =
  'The search index is not available at the moment: these results come from the database, perhaps more slowly.'
const FILLING =
  'The search index is being filled at the moment: these results come from the database, perhaps more slowly.'
const FORSAKEN =
  'The search index lacks memories, because a server or worker runs without TYPESENSE_URL: these results come from the database, perhaps more slowly.'

/** The part of Postgres that a query needs before Typesense is asked. */
interface Known {
  readonly query: EngineQuery
  readonly corpus: CorpusStatistics
  readonly pending: Pending
}

/** The candidates of Typesense for the words of one query. */
class IndexProposal implements Proposal {
  readonly warning?: string

  constructor(
    readonly words: string,
    readonly found: IndexCandidates,
    readonly known: Known,
  ) {}
}

/** Retrieves candidates from Typesense and confirms them in Postgres; Postgres serves whatever Typesense cannot answer completely. */
export class IndexedCandidates {
  readonly #circuit = typesenseCircuit()
  #fallbacks = 0

  constructor(private readonly parts: CandidateParts) {}

  /** Tells whether searches currently bypass Typesense. */
  get away(): boolean {
    return this.#circuit.isOpen
  }

  /** The number of searches since the start that Postgres served because Typesense was unavailable. */
  get fallbacks(): number {
    return this.#fallbacks
  }

  /** Asks Typesense; undefined when Postgres serves the search as well. */
  async propose(asked: EngineQuery, run: Run): Promise<Proposal | undefined> {
    const { upkeep } = this.parts
    const nothing =
      asked.match === 'all' ? asked.query.clauses.length === 0 : !asked.vector && allTerms(asked).length === 0
    if (nothing || !isExact(asked)) return undefined
    if (!upkeep.serving) return this.#fallBack(reasonOf(upkeep))
    const known = await run(tx => this.#readKnown(tx, asked))
    const { query, corpus, pending } = known
    if (pending.ids.length > PENDING_MAX) return this.away || upkeep.away ? this.#fallBack(AWAY) : undefined
    const filter = toIndexFilter(query, pending.ids, new Date())
    if (!filter) return undefined
    const { cutoff } = this.parts.recall
    const plan = planSearches({ index: this.parts.index, query, filter, corpus, cutoff })
    return this.#ask(async () => new IndexProposal(wordsOf(asked), await this.#search(plan, pending.marker), known))
  }

  /** Returns the statistics that a proposal was made with, else those of Postgres. */
  async statistics(tx: Tx, query: EngineQuery): Promise<CorpusStatistics> {
    const { proposal } = query
    return isFor(proposal, query) ? proposal.known.corpus : statisticsOf(tx, query)
  }

  /** Confirms the proposal of a query; Postgres retrieves the candidates of a query without one. */
  async find(tx: Tx, query: EngineQuery, before?: CandidateSet): Promise<CandidateSet> {
    const { proposal } = query
    if (isFor(proposal, query)) {
      return this.#confirm(tx, { ...query, filter: proposal.known.query.filter }, proposal)
    }
    const set = await this.parts.postgres.candidates(tx, query, before)
    return proposal?.warning === undefined ? set : { ...set, warning: proposal.warning }
  }

  async #readKnown(tx: Tx, asked: EngineQuery): Promise<Known> {
    const query = await withListed(tx, asked)
    const [corpus, pending] = await Promise.all([
      statisticsOf(tx, query),
      readPending(tx, this.parts.index, query.workspaceId, PENDING_MAX + 1),
    ])
    return { query, corpus, pending }
  }

  async #search(plan: SearchPlan, marker: number): Promise<IndexCandidates> {
    const { server, recall } = this.parts
    const results = await server.searchFrom(marker, plan.searches)
    if (plan.approximate) recall.offer(plan.approximate)
    const again = plan.repeated(results)
    const [exact] = again ? await server.searchFrom(marker, [again]).catch(tooSlow) : []
    return plan.read(results, exact)
  }

  #fallBack(warning: string): Proposal {
    this.#fallbacks++
    return { warning }
  }

  async #ask(question: () => Promise<Proposal>): Promise<Proposal | undefined> {
    const { log, upkeep } = this.parts
    if (!this.#circuit.attempt()) return this.#fallBack(AWAY)
    try {
      const proposal = await question()
      if (this.#circuit.succeeded()) log.info('Typesense serves searches again')
      return proposal
    } catch (error) {
      if (error instanceof Rejected && (error.status === 400 || error.status === 422)) {
        // The query caused the error and not the server, so Typesense stays in use.
        log.warn({ err: error }, 'Typesense rejects a search; Postgres serves it')
        this.#fallbacks++
        return undefined
      }
      // The next run of upkeep looks for what is missing, and writes a marker that a node back from an outage has to show.
      upkeep.checkSoon()
      const isNews = !this.away
      this.#circuit.failed()
      if (isNews && !(error instanceof Misconfigured)) {
        log.warn({ err: error }, 'Postgres serves searches until Typesense is back')
      }
      return this.#fallBack(AWAY)
    }
  }

  /** Reads the ranker's inputs of proposed and pending memories, and keeps those that currently match. */
  async #confirm(tx: Tx, query: EngineQuery, { found, known }: IndexProposal): Promise<CandidateSet> {
    const { type } = this.parts
    const waiting = known.pending.ids
    const [examined, counted] = await Promise.all([
      candidatesByIds(tx, type, query, [...new Set([...found.ids, ...waiting])]),
      found.total === undefined ? countMatches(tx, type, query) : undefined,
    ])
    const matching = examined.filter(({ matches }) => matches)
    const isWaiting = new Set(waiting)
    const late = matching.filter(({ memoryId }) => isWaiting.has(memoryId)).length
    const total = counted ?? (found.total ?? 0) + late
    return {
      candidates: matching.map(({ matches: _, ...candidate }) => candidate),
      total: Math.min(TOTAL_MAX, Math.max(total, matching.length)),
      corpus: known.corpus,
    }
  }
}

/** Tells why there is no collection to search. */
function reasonOf({ problem, away, forsaken }: Upkeep): string {
  if (problem !== undefined || away) return AWAY
  return forsaken ? FORSAKEN : FILLING
}

/** Leaves to Postgres a query whose every vector takes too long to compare: other searches are none the slower. */
function tooSlow(cause: unknown): never {
  throw new Rejected('the exact search did not succeed', 422, { cause })
}

function isFor(proposal: Proposal | undefined, query: EngineQuery): proposal is IndexProposal {
  return proposal instanceof IndexProposal && proposal.words === wordsOf(query)
}

/** Identifies the words of a query, for which alone a proposal is complete. */
function wordsOf({ match, terms, related = [], corrections }: EngineQuery): string {
  return JSON.stringify([match, terms, related, [...(corrections?.keys() ?? [])]])
}

/** Adds the ids of selective filters to the query, because the index cannot read the tables of other plugins. */
async function withListed(tx: Tx, query: EngineQuery): Promise<EngineQuery> {
  const { filter, workspaceId } = query
  if (!filter.added) return query
  const added = await Promise.all(filter.added.map(async one => (await listed(tx, workspaceId, one)) ?? one))
  return { ...query, filter: { ...filter, added } }
}

async function listed(tx: Tx, workspaceId: string, filter: AddedFilter): Promise<AddedFilter | undefined> {
  const { passing } = filter
  if ('ids' in passing) return filter
  const rows = await tx<{ id: string }[]>`
    select distinct passing.id
    from (${passing.select(tx, workspaceId)}) as passing (id)
    limit ${IDS_MAX + 1}`
  return rows.length > IDS_MAX ? undefined : { ...filter, passing: { ids: rows.map(({ id }) => id) } }
}
