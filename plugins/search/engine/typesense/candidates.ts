import type { Logger, Tx } from 'mneme/plugin'
import type { AddedFilter } from '../../../memories/contract.ts'
import { type CandidateSet, type EngineQuery, type SearchEngine, TOTAL_MAX } from '../engine.ts'
import { candidatesByIds } from '../postgres/by-ids.ts'
import type { VectorType } from '../postgres/embeddings.ts'
import { allTerms } from '../postgres/matches.ts'
import { readStatistics } from '../postgres/statistics.ts'
import { Breaker } from './breaker.ts'
import { Rejected } from './failures.ts'
import { IDS_MAX, toIndexFilter } from './filters.ts'
import { pendingIds } from './queue.ts'
import { type IndexCandidates, planSearches } from './searches.ts'
import type { SearchServer } from './server.ts'
import type { Upkeep } from './upkeep.ts'

export interface CandidateParts {
  readonly server: SearchServer
  readonly upkeep: Upkeep
  readonly postgres: SearchEngine
  readonly type: VectorType
  readonly index: string
  readonly log: Logger
}

/** A search checks this many pending memories of a workspace; with more of them Postgres serves it alone. */
const PENDING_MAX = 300

const AWAY =
  'The search index is not available at the moment: these results come from the database, perhaps more slowly.'

/** Retrieves candidates from Typesense and confirms them in Postgres; Postgres serves whatever Typesense cannot answer completely. */
export class IndexedCandidates {
  readonly #breaker = new Breaker()
  #fallbacks = 0

  constructor(private readonly parts: CandidateParts) {}

  /** Tells whether searches currently bypass Typesense. */
  get away(): boolean {
    return this.#breaker.open
  }

  /** The number of searches since the start that Postgres served because Typesense was unavailable. */
  get fallbacks(): number {
    return this.#fallbacks
  }

  async find(tx: Tx, asked: EngineQuery): Promise<CandidateSet> {
    const { upkeep, postgres } = this.parts
    const nothing = asked.match === 'all' && asked.query.clauses.length === 0
    if (!upkeep.serving || nothing) return postgres.candidates(tx, asked)
    const query = await withListed(tx, asked)
    const [corpus, waiting] = await Promise.all([
      readStatistics(tx, query.workspaceId, allTerms(query)),
      pendingIds(tx, query.workspaceId, PENDING_MAX + 1),
    ])
    const filter = waiting.length > PENDING_MAX ? undefined : toIndexFilter(query, waiting, new Date())
    if (!filter) return postgres.candidates(tx, query)
    const plan = planSearches(this.parts.index, query, filter, corpus)
    // The query has neither words nor a vector.
    if (plan.searches.length === 0) return postgres.candidates(tx, query)
    const proposal = await this.#ask(async () => plan.read(await this.parts.server.search(plan.searches)))
    if (!proposal) return { ...(await postgres.candidates(tx, query)), warning: AWAY }
    const { ids, total } = proposal
    if (total === null) return postgres.candidates(tx, query)
    return { ...(await this.#acknowledge(tx, query, ids, total, waiting)), corpus }
  }

  /** Asks Typesense; undefined during an outage. */
  async #ask(question: () => Promise<IndexCandidates>): Promise<IndexCandidates | undefined> {
    const { log, upkeep } = this.parts
    if (!this.#breaker.attempt()) {
      this.#fallbacks++
      return undefined
    }
    try {
      const proposal = await question()
      if (this.#breaker.succeeded()) log.info('Typesense serves searches again')
      return proposal
    } catch (error) {
      this.#fallbacks++
      if (error instanceof Rejected && (error.status === 400 || error.status === 422)) {
        // The query caused the error and not the server, so Typesense stays in use.
        log.warn({ err: error }, 'Typesense rejects a search; Postgres serves it')
        return { ids: [], total: null }
      }
      if (error instanceof Rejected && error.status === 404) upkeep.checkSoon()
      if (this.#breaker.failed()) log.warn({ err: error }, 'Postgres serves searches until Typesense is back')
      return undefined
    }
  }

  /** Reads the ranker's inputs of proposed and pending memories, and keeps those that currently match. */
  async #acknowledge(
    tx: Tx,
    query: EngineQuery,
    ids: readonly string[],
    total: number | undefined,
    waiting: readonly string[],
  ): Promise<Omit<CandidateSet, 'corpus'>> {
    const examined = await candidatesByIds(tx, this.parts.type, query, [...new Set([...ids, ...waiting])])
    const matching = examined.filter(({ matches }) => matches)
    const isWaiting = new Set(waiting)
    const late = matching.filter(({ memoryId }) => isWaiting.has(memoryId)).length
    const all = total === undefined ? matching.length : total + late
    return {
      candidates: matching.map(({ matches: _, ...candidate }) => candidate),
      total: Math.min(TOTAL_MAX, Math.max(all, matching.length)),
    }
  }
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
