import { Circuit } from 'mneme/plugin'

/** Typesense is unreachable, does not respond in time, or is temporarily unable to serve. */
export class Unavailable extends Error {
  override readonly name = 'Away'
}

/** Typesense rejects the request, and would reject it again. */
export class Rejected extends Error {
  override readonly name = 'Refused'
  constructor(
    message: string,
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** An operator has to act: the message says what is wrong and what helps. */
export class Misconfigured extends Error {
  override readonly name = 'Misconfigured'
}

/** Postgres refers to a collection that Typesense does not have. */
export class CollectionMissing extends Error {
  override readonly name: string = 'CollectionMissing'
  constructor(
    readonly collection: string,
    options?: ErrorOptions,
    message = `Typesense has no collection ${collection}`,
  ) {
    super(message, options)
  }
}

/** A collection does not have writes any more that Typesense had acknowledged. */
export class WritesLost extends CollectionMissing {
  override readonly name = 'WritesLost'
  constructor(collection: string) {
    super(collection, {}, `Typesense lost memories of the collection ${collection} that it had stored`)
  }
}

/** After a failure the server is called again only when a growing pause is over, and then by a single caller. */
export const typesenseCircuit = () => new Circuit({ failuresMax: 1, pauseMs: 500, pauseMaxMs: 15_000 })

/** These are the searches and responses of Typesense; every response is validated. */

/** A search of `multi_search`, with the used subset of the client's types. */
export interface IndexSearch {
  readonly collection: string
  readonly q: string
  readonly query_by: string
  readonly filter_by: string
  readonly per_page: number
  readonly page?: number
  readonly vector_query?: string
  readonly sort_by?: string
  readonly drop_tokens_threshold?: number
  /** The single field to return; `memory` by default. */
  readonly include_fields?: 'memory' | 'workspace'
  /** Returns the values of this field without documents, at most `max_facet_values`, in no order. */
  readonly facet_by?: 'memory'
  readonly max_facet_values?: number
}

export interface SearchResult {
  readonly found: number
  /** The values of that field, in the order of the hits. */
  readonly values: readonly unknown[]
  /** The facet's values; empty without `facet_by`. */
  readonly facets: readonly unknown[]
}

/** A collection as a node describes it; a node that lags behind describes an earlier state, or knows nothing of it. */
export interface DescribedCollection {
  readonly name: string
  /** The id of the database that fills it; undefined for collections of earlier versions. */
  readonly database: string | undefined
  readonly documents: number
}

/** The result of one line of an import. */
export interface LineResult {
  readonly ok: boolean
  readonly code: number | undefined
  readonly error: string | undefined
}

/** In `multi_search` each search fails by itself within a response of 200. */
export function readResult(result: unknown, asked: IndexSearch | undefined): SearchResult | undefined {
  const error = get(result, 'error')
  if (error !== undefined) {
    const code = Number(get(result, 'code') ?? 500)
    if (code < 500 && lacksVectorField(String(error), asked)) return undefined
    if (code >= 500) throw new Unavailable(`Typesense responds with ${code} to a search`)
    throw new Rejected(`Typesense rejects a search with ${code}: ${String(error).slice(0, 300)}`, code)
  }
  const hits = get(result, 'hits')
  const found = get(result, 'found')
  if (!Array.isArray(hits) || typeof found !== 'number') throw new Unavailable('a malformed result')
  if (get(result, 'search_cutoff') === true) throw new Unavailable('a search that was cut off')
  const field = asked?.include_fields ?? 'memory'
  const facets = get(result, 'facet_counts')
  const counts = Array.isArray(facets) ? get(facets[0], 'counts') : undefined
  const listed: unknown[] = Array.isArray(counts) ? counts.map(count => get(count, 'value')) : []
  // A value stands for one document, so a shorter list would lose candidates in silence.
  if (asked?.facet_by !== undefined && listed.length < Math.min(found, asked.max_facet_values ?? 10)) {
    throw new Unavailable('fewer facet values than documents')
  }
  return { found, values: hits.map(hit => get(get(hit, 'document'), field)), facets: listed }
}

/** The wording depends on the parameters of the search, but it always names the field; its length is part of the name. */
function lacksVectorField(error: string, asked: IndexSearch | undefined): boolean {
  const field = asked?.vector_query?.split(':')[0]
  return field !== undefined && error.includes(`\`${field}\``)
}

export function describedBy(response: unknown): DescribedCollection {
  const database = get(get(response, 'metadata'), 'database')
  return {
    name: String(get(response, 'name')),
    database: typeof database === 'string' ? database : undefined,
    documents: Number(get(response, 'num_documents') ?? 0),
  }
}

export function readLine(result: unknown): LineResult {
  if (get(result, 'success') === true) return { ok: true, code: undefined, error: undefined }
  const code = get(result, 'code')
  const error = get(result, 'error')
  return {
    ok: false,
    code: typeof code === 'number' ? code : undefined,
    // The rest of the message may quote the document.
    error: typeof error === 'string' ? error.slice(0, 100) : 'no line for it in the response',
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function get(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
