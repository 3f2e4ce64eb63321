import { Client, Errors } from 'typesense'
import type { ModelId } from '../engine.ts'
import { Misconfigured, Rejected, Unavailable } from './failures.ts'
import { markerSince } from './marker.ts'
import { collectionSchema, type IndexedMemory, vectorFieldSchema } from './schema.ts'
import { fetchAdapter } from './transport.ts'

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

/** The part of the cluster's interface that the engine needs, with every response validated. Errors are {@link Unavailable}, {@link Rejected} or
 * {@link Misconfigured}. */
export class SearchServer {
  readonly nodes: number
  readonly #searching: Client
  readonly #writing: Client

  constructor({ urls, apiKey }: { urls: readonly string[]; apiKey: string }) {
    this.nodes = urls.length
    const options = {
      apiKey,
      nodes: urls.map(url => ({ url: url.replace(/\/+$/, '') })),
      logLevel: 'silent',
      healthcheckIntervalSeconds: 5,
    } as const
    const retries = Math.min(NODES_TRIED_MAX, urls.length) - 1
    this.#searching = new Client({
      ...options,
      numRetries: retries,
      retryIntervalSeconds: 0.01,
      connectionTimeoutSeconds: SEARCH_MS_MAX / 1000,
      axiosAdapter: fetchAdapter(SEARCH_MS_MAX),
    })
    this.#writing = new Client({
      ...options,
      numRetries: retries,
      retryIntervalSeconds: 0.1,
      connectionTimeoutSeconds: WRITE_MS_MAX / 1000,
      axiosAdapter: fetchAdapter(WRITE_MS_MAX),
    })
  }

  /**
   * Asks a node that has everything up to a marker; others are passed over.
   *
   * @returns results in the order of the searches; undefined for a search over a vector field that does not exist yet
   * @throws {Unavailable} also when no node shows the marker
   */
  async searchFrom(marker: number, searches: readonly IndexSearch[]): Promise<(SearchResult | undefined)[]> {
    const collections = [...new Set(searches.map(({ collection }) => collection))]
    const markers = collections.map(collection => ({ ...NOTHING, collection, filter_by: markerSince(marker) }))
    let missing: unknown
    // The client addresses the nodes in turn.
    for (let attempt = 0; attempt < Math.min(NODES_TRIED_MAX, this.nodes); attempt++) {
      try {
        const results = await this.search([...searches, ...markers])
        const seen = results.splice(searches.length)
        if (seen.every(result => (result?.found ?? 0) > 0)) return results
      } catch (error) {
        // A node that replays its log may not have reached the collection yet.
        if (!(error instanceof Rejected && error.status === 404)) throw error
        missing = error
      }
    }
    throw missing ?? new Unavailable('Typesense does not have everything yet')
  }

  /** Asks any node. @returns results in the order of the searches; undefined for a search over a vector field that does not exist yet */
  async search(searches: readonly IndexSearch[]): Promise<(SearchResult | undefined)[]> {
    const common = {
      include_fields: 'memory',
      prefix: false,
      num_typos: 0,
      typo_tokens_threshold: 0,
      highlight_fields: 'none',
    }
    const asked = { searches: searches.map(search => ({ ...common, drop_tokens_threshold: 0, ...search })) }
    const response: unknown = await guard(
      this.#searching.multiSearch.perform(asked, {}, { abortSignal: AbortSignal.timeout(2 * SEARCH_MS_MAX) }),
    )
    const results = get(response, 'results')
    if (!Array.isArray(results) || results.length !== searches.length) throw new Unavailable('a malformed response')
    return results.map((result, n) => readResult(result, searches[n]))
  }

  /** @returns a result for each document, in order */
  async upsert(collection: string, documents: readonly IndexedMemory[]): Promise<LineResult[]> {
    if (documents.length === 0) return []
    const body = documents.map(document => JSON.stringify(document)).join('\n')
    const response: unknown = await guard(
      this.#writing
        .collections(collection)
        .documents()
        .import(body, { action: 'upsert', dirty_values: 'reject', throwOnFail: false }),
    )
    // A single line is valid JSON by itself, so the client may have parsed it.
    const lines = typeof response === 'string' ? response.trimEnd().split('\n').map(parseJson) : [response]
    return documents.map((_, n) => readLine(lines[n]))
  }

  /** @returns how many documents existed */
  async remove(collection: string, filter: string): Promise<number> {
    const response: unknown = await guard(
      this.#writing.collections(collection).documents().delete({ filter_by: filter }),
    )
    return Number(get(response, 'num_deleted') ?? 0)
  }

  /** Creates a collection. @returns false when it exists */
  async createCollection(name: string, owner: string): Promise<boolean> {
    try {
      await guard(this.#writing.collections().create(collectionSchema(name, owner)))
      return true
    } catch (error) {
      if (error instanceof Rejected && error.status === 409) return false
      throw error
    }
  }

  async dropCollection(name: string): Promise<void> {
    await orMissing(guard(this.#writing.collections(name).delete()))
  }

  async collections(): Promise<DescribedCollection[]> {
    const response: unknown = await guard(this.#writing.collections().retrieve({ exclude_fields: 'fields' }))
    return (Array.isArray(response) ? response : []).map(describedBy)
  }

  /** Returns undefined when the node knows no such collection. */
  async describe(collection: string): Promise<DescribedCollection | undefined> {
    const response: unknown = await orMissing(guard(this.#writing.collections(collection).retrieve()))
    return response === undefined ? undefined : describedBy(response)
  }

  /** Adds a field for the vectors of a model unless it exists. The leader decides, because a follower may not know it yet. */
  async addVectorField(collection: string, model: ModelId, dimensions: number): Promise<void> {
    const fields = [vectorFieldSchema(model, dimensions)]
    await guard(this.#writing.collections(collection).update({ fields })).catch(error => {
      if (!(error instanceof Rejected && error.message.includes('already part of the schema'))) throw error
    })
  }

  /** Returns the collection of the alias; undefined without the alias. */
  async aliased(alias: string): Promise<string | undefined> {
    const response: unknown = await orMissing(guard(this.#writing.aliases(alias).retrieve()))
    const name = get(response, 'collection_name')
    return typeof name === 'string' ? name : undefined
  }

  async pointAlias(alias: string, collection: string): Promise<void> {
    await guard(this.#writing.aliases().upsert(alias, { collection_name: collection }))
  }

  async dropAlias(alias: string): Promise<void> {
    await orMissing(guard(this.#writing.aliases(alias).delete()))
  }

  /** Returns `memory` and `stamp` of all documents that pass the filter. */
  async stamps(collection: string, filter: string): Promise<{ workspace: unknown; memory: unknown; stamp: unknown }[]> {
    const response: unknown = await guard(
      this.#writing
        .collections(collection)
        .documents()
        .export({ filter_by: filter, include_fields: 'workspace,memory,stamp' }),
    )
    // A single line is valid JSON by itself, so the client may have parsed it.
    const lines = typeof response === 'string' ? response.split('\n').filter(Boolean).map(parseJson) : [response]
    return lines
      .filter(line => get(line, 'memory') !== undefined)
      .map(line => ({ workspace: get(line, 'workspace'), memory: get(line, 'memory'), stamp: get(line, 'stamp') }))
  }
}

/** A search waits this long for one node, because a transaction is open meanwhile. */
const SEARCH_MS_MAX = 1000
const WRITE_MS_MAX = 20_000
const NODES_TRIED_MAX = 3

/** Counts what passes a filter. */
const NOTHING = { q: '*', query_by: 'words', per_page: 0 } as const

async function guard<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    const status = statusOf(error)
    if (status === undefined || status >= 500 || status === 429 || status === 408) {
      throw new Unavailable(status === undefined ? 'Typesense does not respond' : `Typesense responds with ${status}`, {
        cause: error,
      })
    }
    if (status === 401 || status === 403) {
      throw new Misconfigured(
        `Typesense rejects the key in TYPESENSE_API_KEY (${status}), so Postgres serves searches. Set a key that may do everything with collections whose names begin with mneme_memories.`,
        { cause: error },
      )
    }
    throw new Rejected(`Typesense rejects a request with ${status}: ${messageOf(error)}`, status, { cause: error })
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Errors.TypesenseError ? error.httpStatus : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : String(error)
}

async function orMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof Rejected && error.status === 404) return undefined
    throw error
  }
}

/** In `multi_search` each search fails by itself within a response of 200. */
function readResult(result: unknown, asked: IndexSearch | undefined): SearchResult | undefined {
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
  return {
    found,
    values: hits.map(hit => get(get(hit, 'document'), field)),
    facets: Array.isArray(counts) ? counts.map(count => get(count, 'value')) : [],
  }
}

/** The wording depends on the parameters of the search, but it always names the field; its length is part of the name. */
function lacksVectorField(error: string, asked: IndexSearch | undefined): boolean {
  const field = asked?.vector_query?.split(':')[0]
  return field !== undefined && error.includes(`\`${field}\``)
}

function describedBy(response: unknown): DescribedCollection {
  const database = get(get(response, 'metadata'), 'database')
  return {
    name: String(get(response, 'name')),
    database: typeof database === 'string' ? database : undefined,
    documents: Number(get(response, 'num_documents') ?? 0),
  }
}

function readLine(result: unknown): LineResult {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function get(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
