import type { Logger, Tx } from 'mneme/plugin'
import type { AddedFilter } from '../../../memories/contract.ts'
import { type CandidateSet, type EngineQuery, type SearchEngine, TOTAL_MAX } from '../engine.ts'
import { candidatesByIds } from '../postgres/by-ids.ts'
import type { VectorType } from '../postgres/embeddings.ts'
import { allTerms } from '../postgres/matches.ts'
import { readStatistics } from '../postgres/statistics.ts'
import { Breaker } from './breaker.ts'
import { Refused } from './failures.ts'
import { IDS_MAX, toIndexFilter } from './filters.ts'
import { type Proposal, planProposal } from './proposal.ts'
import { waitingIds } from './queue.ts'
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

/** Memories of a workspace that wait to be sent and are looked at with each search; with more of them Postgres answers. */
const WAITING_MAX = 300

const AWAY =
  'The search index is not available at the moment: these results come from the database, perhaps more slowly.'

/** Candidates that Typesense proposes and Postgres confirms; Postgres' own wherever Typesense could not be complete. */
export class IndexedCandidates {
  readonly #breaker = new Breaker()
  #fallbacks = 0

  constructor(private readonly parts: CandidateParts) {}

  /** Whether searches do without Typesense at the moment. */
  get away(): boolean {
    return this.#breaker.open
  }

  /** Searches that Postgres answered since the start because Typesense was away. */
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
      waitingIds(tx, query.workspaceId, WAITING_MAX + 1),
    ])
    const filter = waiting.length > WAITING_MAX ? undefined : toIndexFilter(query, waiting, new Date())
    if (!filter) return postgres.candidates(tx, query)
    const plan = planProposal(this.parts.index, query, filter, corpus)
    // Neither words nor a vector.
    if (plan.searches.length === 0) return postgres.candidates(tx, query)
    const proposal = await this.#ask(async () => plan.read(await this.parts.server.search(plan.searches)))
    if (!proposal) return { ...(await postgres.candidates(tx, query)), warning: AWAY }
    const { ids, total } = proposal
    if (total === null) return postgres.candidates(tx, query)
    return { ...(await this.#confirm(tx, query, ids, total, waiting)), corpus }
  }

  /** What Typesense says, or undefined while it is away. */
  async #ask(question: () => Promise<Proposal>): Promise<Proposal | undefined> {
    const { log, upkeep } = this.parts
    if (!this.#breaker.attempt()) {
      this.#fallbacks++
      return undefined
    }
    try {
      const proposal = await question()
      if (this.#breaker.succeeded()) log.info('Typesense answers searches again')
      return proposal
    } catch (error) {
      this.#fallbacks++
      if (error instanceof Refused && (error.status === 400 || error.status === 422)) {
        // This query is the matter, not the server: others go on being asked there.
        log.warn({ err: error }, 'Typesense does not take a search; Postgres answers it')
        return { ids: [], total: null }
      }
      if (error instanceof Refused && error.status === 404) upkeep.distrust()
      if (this.#breaker.failed()) log.warn({ err: error }, 'searches go to Postgres until Typesense answers')
      return undefined
    }
  }

  /** Reads what the ranker needs of the proposed and the waiting memories, and keeps those that match as they are now. */
  async #confirm(
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

/** The query with the ids of filters that let few memories pass, since the index cannot read the tables of other plugins. */
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
