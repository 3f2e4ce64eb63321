import { type Logger, vectorLiteral } from 'mneme/plugin'
import type { MemoryFilter } from '../../../memories/contract.ts'
import type { Clause } from '../../analysis/parse-query.ts'
import type { Term } from '../../analysis/query-term.ts'
import { lexemePrefix } from '../../analysis/tsvector.ts'
import { type CorpusStatistics, type EngineQuery, TOTAL_MAX } from '../engine.ts'
import { PAIRS_MAX, selectiveTerms, type WeighedTerm, weighTerms } from '../postgres/matches.ts'
import { indexPaysFrom } from '../postgres/near-index.ts'
import type { IndexSearch, SearchResult } from './messages.ts'
import { idOfToken, idToken, lexemeToken, valueToken, vectorField, vectorsOf } from './schema.ts'
import type { SearchServer } from './server.ts'

/** Postgres handles longer lists of ids, and filters that only a statement expresses. */
export const IDS_MAX = 500
/** Typesense accepts a hundred operators in all, one before each clause. */
const CLAUSES_MAX = 60

/**
 * Tells whether Typesense can express every condition of a query. Filters on metadata, phrases and words as typed need Postgres, which is
 * faster alone than after a list of all memories that may pass.
 */
export function isExact(query: EngineQuery): boolean {
  const clauses = bindingClauses(query)
  return (
    (query.filter.metadata?.length ?? 0) === 0 &&
    clauses.length <= CLAUSES_MAX &&
    clauses.every(({ terms }) => terms.every(isPlain))
  )
}

/**
 * Builds the filter of a query that {@link isExact}, with the clauses of keyword mode. Pending memories are left out, because the index has a
 * stale version of them. Undefined when nothing can pass or Typesense could not accept it.
 */
export function toIndexFilter(query: EngineQuery, waiting: readonly string[], now: Date): string | undefined {
  const { filter, workspaceId } = query
  const ids = filter.added?.map(({ passing }) => ('ids' in passing ? passing.ids : undefined))
  if (ids?.some(list => list === undefined || list.length === 0 || list.length > IDS_MAX)) return undefined
  const prefix = lexemePrefix(workspaceId)
  return [
    `workspace:=${idToken(workspaceId)}`,
    `(lasting:=yes || expires_at:>${now.getTime()})`,
    ...columnFilters(filter),
    ...(waiting.length > 0 ? [`memory:!=[${waiting.map(idToken).join(',')}]`] : []),
    ...bindingClauses(query).map(clause => clauseFilter(clause, prefix)),
  ].join(' && ')
}

/** In other modes than keyword the clauses only rank. */
function bindingClauses({ match, query }: EngineQuery): Clause[] {
  return match === 'all' ? query.clauses : []
}

/** Builds the filter for given memories of a workspace. */
export function memoriesOf(workspaceId: string, ids: readonly string[]): string {
  return `workspace:=${idToken(workspaceId)} && memory:=[${ids.map(idToken).join(',')}]`
}

/** Builds the filter for documents with any of the given stems. */
export function anyOf(query: EngineQuery, terms: readonly string[]): string {
  return `words:=[${tokensOf(query, terms).join(',')}]`
}

/** Builds the filter for documents with none of the given stems. */
function noneOf(query: EngineQuery, terms: readonly string[]): string {
  return `words:!=[${tokensOf(query, terms).join(',')}]`
}

/** Returns the tokens that Typesense stores for stems. */
export function tokensOf({ workspaceId }: EngineQuery, terms: readonly string[]): string[] {
  const prefix = lexemePrefix(workspaceId)
  return terms.map(term => lexemeToken(prefix + term))
}

function columnFilters(filter: MemoryFilter): string[] {
  const { userId, agentId, sessionId, priorities, categories, createdAfter, createdBefore, added = [] } = filter
  return [
    ...(userId === undefined ? [] : [`user:=${valueToken(userId)}`]),
    ...(agentId === undefined ? [] : [`agent:=${valueToken(agentId)}`]),
    ...(sessionId === undefined ? [] : [`session:=${valueToken(sessionId)}`]),
    ...(priorities === undefined ? [] : [`priority:=[${priorities.map(name => name.toLowerCase()).join(',')}]`]),
    ...(categories === undefined ? [] : [`categories:=[${categories.map(valueToken).join(',')}]`]),
    ...(createdAfter === undefined ? [] : [`created_at:>=${createdAfter.getTime()}`]),
    ...(createdBefore === undefined ? [] : [`created_at:<=${createdBefore.getTime()}`]),
    ...added.flatMap(({ passing }) => ('ids' in passing ? [`memory:=[${passing.ids.map(idToken).join(',')}]`] : [])),
  ]
}

/** Builds the condition of a clause of plain terms. */
function clauseFilter({ excluded, terms }: Clause, prefix: string): string {
  const lexemes = new Set(terms.flatMap(term => [...lexemesOf(term), ...term.aliases]))
  return `words:${excluded ? '!=' : '='}[${[...lexemes].map(lexeme => lexemeToken(prefix + lexeme)).join(',')}]`
}

/** A single word in any inflection matches by its lexeme; other terms also need positions or the form as typed. */
function isPlain({ steps }: Term): boolean {
  return steps.length === 1 && steps[0]?.typed === false
}

/** Lists the alternative lexemes of a term of one step. */
function lexemesOf({ steps }: Term): string[] {
  return steps.flatMap(({ lexeme, variants }) => [lexeme, ...variants])
}

/** The result of Typesense for a query. */
export interface IndexCandidates {
  /** The best of each list, without duplicates. */
  readonly ids: readonly string[]
  /** The number of matches of the index's own filter; undefined when Postgres has to count them. */
  readonly total: number | undefined
}

/** Searches with a function that reads their results, which come in the same order. */
export interface SearchPlan {
  readonly searches: readonly IndexSearch[]
  /** The search for the nearest vectors, if the HNSW index may serve it. */
  readonly approximate: IndexSearch | undefined
  /** Returns the search to repeat without the HNSW index, which may have missed matches; undefined when nothing is missing. */
  repeated(results: readonly (SearchResult | undefined)[]): IndexSearch | undefined
  /** @param exact the result of the repeated search */
  read(results: readonly (SearchResult | undefined)[], exact?: SearchResult): IndexCandidates
}

/** Typesense returns at most this many documents per search. */
const PAGE_MAX = 250
/** Each list, by words and by meaning, contributes this many candidates. */
const LIST_MAX = 100
/** This many terms are searched one by one; with the other searches they stay below Typesense's default limit of 50 a request. */
const TERMS_MAX = 40
/** A term contributes this many documents. */
const TERM_MAX = 500

interface PlannedQuery {
  /** The alias of words. */
  readonly index: string
  readonly query: EngineQuery
  /** A condition that exactly the passing memories fulfil. */
  readonly filter: string
  readonly corpus: CorpusStatistics
  /** Behind a filter with more vectors than this the HNSW index serves. */
  readonly cutoff: number
}

/** Plans the searches that retrieve the candidates of a query behind a filter. */
export function planSearches(planned: PlannedQuery): SearchPlan {
  return planned.query.match === 'all' ? keywordPlan(planned) : mixedPlan(planned)
}

/** The filter contains the whole query, so the newest matches are listed. */
function keywordPlan({ index, filter }: PlannedQuery): SearchPlan {
  const newest: IndexSearch = { ...behind(index, filter), per_page: PAGE_MAX, sort_by: 'created_at:desc' }
  return {
    searches: [newest],
    approximate: undefined,
    repeated: () => undefined,
    read: ([all]) => ({ ids: idsOf(all?.values), total: all?.found ?? 0 }),
  }
}

/** Plans the lists by words and by meaning, and the number of matches by either. */
function mixedPlan({ index, query, filter, corpus, cutoff }: PlannedQuery): SearchPlan {
  const words = [...query.terms, ...(query.related ?? [])]
  const looked = lookedUp(query, corpus)
  const vectors = vectorsOf(index)
  // The nearest come as hits: a search without the HNSW index is not cut to `k`, and facets of one count have no order.
  const near = vectorSearch(query, { ...behind(vectors, filter), per_page: LIST_MAX }, LIST_MAX, cutoff)
  const worded = words.length > 0 ? behind(index, `${filter} && ${anyOf(query, words)}`) : undefined
  const others = words.length > 0 ? `${filter} && ${noneOf(query, words)}` : filter
  const apart = enoughByWords(query, corpus)
    ? undefined
    : vectorSearch(query, behind(vectors, others), TOTAL_MAX, cutoff)
  const slots = [near, worded, apart]
  const mayMiss = near !== undefined && corpus.documents >= cutoff
  return {
    searches: [
      ...slots.filter(search => search !== undefined),
      ...looked.map(({ term }) => listed(index, `${filter} && ${anyOf(query, [term])}`, TERM_MAX)),
    ],
    approximate: mayMiss ? near : undefined,
    repeated: ([nearest]) => (mayMiss && near && nearest && nearest.found < LIST_MAX ? exactly(near) : undefined),
    read(results, exact) {
      let at = 0
      const [nearest, byWords, further] = slots.map(search => (search ? results[at++] : undefined))
      const byTerm = looked.map(({ weight }) => ({ weight, ids: idsOf(results[at++]?.facets) }))
      const total = (byWords?.found ?? 0) + (further?.found ?? 0)
      const counted = total >= TOTAL_MAX || !near || (apart !== undefined && !mayMiss)
      return {
        ids: [...new Set([...idsOf((exact ?? nearest)?.values), ...heaviest(byTerm)])],
        total: counted ? Math.min(TOTAL_MAX, total) : undefined,
      }
    },
  }
}

/** Tells whether the words alone reach the highest total, so that matches by meaning need not be counted. */
function enoughByWords({ filter, terms }: EngineQuery, { documentFrequency }: CorpusStatistics): boolean {
  const unfiltered = Object.keys(filter).length === 0
  return unfiltered && terms.some(term => (documentFrequency.get(term) ?? 0) >= TOTAL_MAX)
}

/** Counts the documents behind a filter. */
function behind(collection: string, filter: string): IndexSearch {
  return { collection, q: '*', query_by: 'words', filter_by: filter, per_page: 0 }
}

/** Lists ids by a facet, for which the server parses no document. Of more than `limit` any are listed. */
function listed(collection: string, filter: string, limit: number): IndexSearch {
  return { ...behind(collection, filter), facet_by: 'memory', max_facet_values: limit }
}

function vectorSearch(
  { vector }: EngineQuery,
  search: IndexSearch,
  k: number,
  cutoff: number,
): IndexSearch | undefined {
  if (!vector) return undefined
  const field = vectorField(vector.model, vector.values.length)
  const parts = [
    vectorLiteral(vector.values),
    `k:${k}`,
    ...threshold(vector.floor),
    'ef:200',
    `flat_search_cutoff:${cutoff}`,
  ]
  return { ...search, vector_query: `${field}:(${parts.join(', ')})` }
}

/** Rounding may move a vector across the floor, so the threshold is wider; Postgres decides. Typesense refuses more than 2. */
function threshold(floor: number): string[] {
  const distance = 1 - floor + 1e-6
  return distance >= 2 ? [] : [`distance_threshold:${distance.toFixed(6)}`]
}

/** Selects the rarest terms until they yield enough hits. Behind a filter nobody knows how many each yields, so only their number is bounded. */
function lookedUp(query: EngineQuery, corpus: CorpusStatistics): readonly WeighedTerm[] {
  const terms = selectiveTerms(query, corpus, weighTerms(query, corpus)).slice(0, TERMS_MAX)
  if (Object.keys(query.filter).length > 0) return terms
  let hits = 0
  return terms.filter(({ term }) => {
    const enough = hits >= PAIRS_MAX
    hits += Math.min(TERM_MAX, corpus.documentFrequency.get(term) ?? 0)
    return !enough
  })
}

/** Orders ids by the sum of their terms' weights, then the newest first. As in Postgres, so many pairs of term and document count, those of the rarest terms first. */
function heaviest(lists: readonly { weight: number; ids: readonly string[] }[]): string[] {
  const weights = new Map<string, number>()
  let left = PAIRS_MAX
  for (const { weight, ids } of lists) {
    for (const id of ids.slice(0, left)) weights.set(id, (weights.get(id) ?? 0) + weight)
    left = Math.max(0, left - ids.length)
  }
  return [...weights]
    .sort(([a, weightA], [b, weightB]) => weightB - weightA || (a < b ? 1 : -1))
    .slice(0, LIST_MAX)
    .map(([id]) => id)
}

function idsOf(tokens: readonly unknown[] | undefined): string[] {
  return (tokens ?? []).flatMap(token => idOfToken(token) ?? [])
}

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
