import { vectorLiteral } from 'mneme/plugin'
import { type CorpusStatistics, type EngineQuery, TOTAL_MAX } from '../engine.ts'
import { selectiveTerms, type WeighedTerm, weighTerms } from '../postgres/matches.ts'
import { anyOf, type IndexFilter, noneOf, tokensOf } from './filters.ts'
import { vectorField } from './schema.ts'
import type { IndexSearch, SearchResult } from './server.ts'
import { idOfToken } from './tokens.ts'

/** The result of Typesense for a query. */
export interface IndexCandidates {
  /** The best of each list, without duplicates. */
  readonly ids: readonly string[]
  /**
   * The number of matches of the index's own filter. Undefined when only Postgres can count them, from `ids`, which are then complete; null
   * when they are not complete.
   */
  readonly total: number | undefined | null
}

/** Searches with a function that reads their results, which come in the same order. */
export interface SearchPlan {
  readonly searches: readonly IndexSearch[]
  read(results: readonly (SearchResult | undefined)[]): IndexCandidates
}

/** Typesense returns at most this many hits per search. */
const PAGE_MAX = 250
/** Each list, by words and by meaning, contributes this many candidates. */
const LIST_MAX = 100
/** This many terms are searched one by one. */
const TERMS_MAX = 20
/** The searches for terms return this many hits in all. */
const PAIRS_MAX = 1000
/** This many further candidates contain most of the terms together, for terms that are each common. */
const TOGETHER_MAX = 50
/** A cutoff above any number of vectors makes the vector search exact, so that none is missed. */
const FLAT_CUTOFF = 1_000_000_000

/** Plans the searches that retrieve the candidates of a query behind a filter. */
export function planSearches(
  index: string,
  query: EngineQuery,
  filter: IndexFilter,
  corpus: CorpusStatistics,
): SearchPlan {
  const words = [...query.terms, ...(query.related ?? [])]
  if (query.match === 'all') return keywordPlan(index, filter)
  return filter.exact ? exactPlan(index, query, filter, corpus, words) : completePlan(index, query, filter, words)
}

/** The filter matches exactly, so the newest matches are listed. */
function keywordPlan(index: string, filter: IndexFilter): SearchPlan {
  const newest = listed(index, filter.text)
  if (filter.exact) {
    return { searches: [newest], read: ([all]) => ({ ids: idsOf(all), total: all?.found ?? 0 }) }
  }
  const searches = pages(newest)
  return { searches, read: results => ({ ids: distinct(results.flatMap(idsOf)), total: complete(results) }) }
}

/** Plans the lists by words and by meaning, and the number of matches by either. */
function exactPlan(
  index: string,
  query: EngineQuery,
  { text }: IndexFilter,
  corpus: CorpusStatistics,
  words: readonly string[],
): SearchPlan {
  const weighed = weighTerms(query, corpus)
  const looked = lookedUp(selectiveTerms(query, corpus, weighed), corpus)
  const near = vectorSearch(index, query, text, LIST_MAX)
  const apart =
    words.length > 0 && near ? vectorSearch(index, query, `${text} && ${noneOf(query, words)}`, 1) : undefined
  const worded = words.length > 0 ? { ...listed(index, `${text} && ${anyOf(query, words)}`), per_page: 1 } : undefined
  const together = looked.length > 1 ? togetherSearch(index, query, text, weighed) : undefined
  const slots = [near, apart, worded, together]
  const searches = [
    ...slots.filter(search => search !== undefined),
    ...looked.map(({ term }) => listed(index, `${text} && ${anyOf(query, [term])}`)),
  ]
  return {
    searches,
    read(results) {
      let at = 0
      const [nearest, further, byWords, most] = slots.map(search => (search ? results[at++] : undefined))
      const byTerm = looked.map(({ weight }) => ({ weight, ids: idsOf(results[at++]) }))
      return {
        ids: distinct([...idsOf(nearest), ...heaviest(byTerm), ...idsOf(most).slice(0, TOGETHER_MAX)]),
        total: (byWords?.found ?? 0) + ((words.length > 0 ? further?.found : nearest?.found) ?? 0),
      }
    },
  }
}

/** Lists everything that may match, for Postgres to check. */
function completePlan(index: string, query: EngineQuery, { text }: IndexFilter, words: readonly string[]): SearchPlan {
  const near = vectorSearch(index, query, text, PAGE_MAX)
  const searches = [
    ...(words.length > 0 ? pages(listed(index, `${text} && ${anyOf(query, words)}`)) : []),
    ...(near ? pages(near) : []),
  ]
  return { searches, read: results => ({ ids: distinct(results.flatMap(idsOf)), total: complete(results) }) }
}

/** Lists the documents behind a filter, the newest first. */
function listed(index: string, filter: string): IndexSearch {
  return {
    collection: index,
    q: '*',
    query_by: 'words',
    filter_by: filter,
    sort_by: 'created_at:desc',
    per_page: PAGE_MAX,
  }
}

function vectorSearch(
  index: string,
  { vector }: EngineQuery,
  filter: string,
  perPage: number,
): IndexSearch | undefined {
  if (!vector) return undefined
  const field = vectorField(vector.model, vector.values.length)
  // Rounding may move a vector across the floor, so the threshold is wider; Postgres decides.
  const threshold = (1 - vector.floor + 1e-6).toFixed(6)
  return {
    collection: index,
    q: '*',
    query_by: 'words',
    filter_by: filter,
    per_page: perPage,
    vector_query: `${field}:(${vectorLiteral(vector.values)}, k:${TOTAL_MAX}, distance_threshold:${threshold}, ef:200, flat_search_cutoff:${FLAT_CUTOFF})`,
  }
}

/** Finds documents with all terms, then with all but the most common, and so on. */
function togetherSearch(index: string, query: EngineQuery, filter: string, terms: readonly WeighedTerm[]): IndexSearch {
  const rarest = terms.slice(0, TERMS_MAX).map(({ term }) => term)
  return {
    collection: index,
    q: tokensOf(query, rarest).join(' '),
    query_by: 'words',
    filter_by: filter,
    sort_by: '_text_match:desc,created_at:desc',
    per_page: TOGETHER_MAX,
    drop_tokens_threshold: TOGETHER_MAX,
  }
}

/** Selects the rarest terms until they yield enough hits. */
function lookedUp(terms: readonly WeighedTerm[], { documentFrequency }: CorpusStatistics): readonly WeighedTerm[] {
  let hits = 0
  return terms.slice(0, TERMS_MAX).filter(({ term }) => {
    const enough = hits >= PAIRS_MAX
    hits += Math.min(PAGE_MAX, documentFrequency.get(term) ?? 0)
    return !enough
  })
}

/** Orders ids by the sum of their terms' weights. */
function heaviest(lists: readonly { weight: number; ids: readonly string[] }[]): string[] {
  const weights = new Map<string, number>()
  for (const { weight, ids } of lists) for (const id of ids) weights.set(id, (weights.get(id) ?? 0) + weight)
  return [...weights]
    .sort(([a, weightA], [b, weightB]) => weightB - weightA || (a < b ? -1 : 1))
    .slice(0, LIST_MAX)
    .map(([id]) => id)
}

function pages(search: IndexSearch): IndexSearch[] {
  return Array.from({ length: TOTAL_MAX / PAGE_MAX }, (_, n) => ({ ...search, per_page: PAGE_MAX, page: n + 1 }))
}

/** Tells whether the pages are complete. */
function complete(results: readonly (SearchResult | undefined)[]): undefined | null {
  return results.some(result => (result?.found ?? 0) >= TOTAL_MAX) ? null : undefined
}

function idsOf(result: SearchResult | undefined): string[] {
  return (result?.values ?? []).flatMap(token => idOfToken(token) ?? [])
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}
