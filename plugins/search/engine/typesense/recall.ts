import type { Logger } from 'mneme/plugin'
import { indexPaysFrom } from '../postgres/near-index.ts'
import type { IndexSearch } from './messages.ts'
import type { SearchServer } from './server.ts'

/** One search is compared in this time. */
const EVERY_MS = 60_000
/** The mean of this many comparisons decides. */
const SAMPLES = 5
const RECALL_MIN = 0.95
/** After a poor recall every vector is compared for this long. */
const EXACT_MS = 3_600_000

/**
 * Decides between the HNSW index of Typesense and the comparison of every vector behind the filter. The index is used once it is faster, by
 * the same rule as that of Postgres, and while the exact search confirms what it finds.
 */
export class RecallCheck {
  /** The number of documents with vectors, as last seen. */
  documents = 0
  readonly #recalls: number[] = []
  #sample: IndexSearch | undefined
  #comparedAt = Number.NEGATIVE_INFINITY
  #exactUntil = Number.NEGATIVE_INFINITY

  constructor(
    private readonly log: Logger,
    private readonly paysFrom = indexPaysFrom,
    private readonly everyMs = EVERY_MS,
  ) {}

  /** The number of documents behind a filter up to which all of them are compared. */
  get cutoff(): number {
    return performance.now() < this.#exactUntil ? EXACT : this.paysFrom(this.documents)
  }

  /** The mean recall of the last comparisons; 1 before the first. */
  get recall(): number {
    return this.#recalls.length === 0 ? 1 : this.#recalls.reduce((sum, one) => sum + one, 0) / this.#recalls.length
  }

  /** Offers a search that used the index, for the next comparison. */
  offer(search: IndexSearch): void {
    this.#sample = search
  }

  /** Compares the last search with an exact one if it is time. */
  async run(server: SearchServer): Promise<void> {
    const search = this.#sample
    if (!search || performance.now() - this.#comparedAt < this.everyMs) return
    this.#sample = undefined
    this.#comparedAt = performance.now()
    // A comparison that takes too long tells nothing of the server, and must not look like an outage.
    const [found, all] = await server.search([search, exactly(search)]).catch(error => {
      this.log.debug({ err: error }, 'the vector index of Typesense was not compared with an exact search')
      return []
    })
    if (!found || !all || all.values.length === 0) return
    const seen = new Set(found.values)
    this.#recalls.push(all.values.filter(id => seen.has(id)).length / all.values.length)
    if (this.#recalls.length > SAMPLES) this.#recalls.shift()
    if (this.#recalls.length < SAMPLES || this.recall >= RECALL_MIN) return
    this.log.warn({ recall: this.recall }, 'the vector index of Typesense misses memories; every vector is compared')
    this.#exactUntil = performance.now() + EXACT_MS
    this.#recalls.length = 0
  }
}

/** A cutoff above any number of vectors makes a vector search exact. */
export const EXACT = 1_000_000_000

/** Returns the same vector search without the index. */
export function exactly(search: IndexSearch): IndexSearch {
  const { vector_query = '' } = search
  return { ...search, vector_query: vector_query.replace(/flat_search_cutoff:\d+/, `flat_search_cutoff:${EXACT}`) }
}
