import { letOthersIn, messageOf } from 'mneme/plugin'
import { Client, Errors } from 'typesense'
import type { ConfigurationOptions } from 'typesense/lib/Typesense/Configuration'
import type { ModelId } from '../engine.ts'
import {
  type DescribedCollection,
  describedBy,
  get,
  type IndexSearch,
  type LineResult,
  Misconfigured,
  parseJson,
  Rejected,
  readLine,
  readResult,
  type SearchResult,
  Unavailable,
} from './messages.ts'
import { collectionSchema, type IndexedMemory, markerSince, vectorFieldSchema } from './schema.ts'

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
    const markers = collections.map(collection => counting(collection, markerSince(marker)))
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
    const body: string[] = []
    for (const document of documents) {
      await letOthersIn()
      body.push(JSON.stringify(document))
    }
    const response: unknown = await guard(
      this.#writing
        .collections(collection)
        .documents()
        .import(body.join('\n'), { action: 'upsert', dirty_values: 'reject', throwOnFail: false }),
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

/** Builds a search that counts what passes a filter. */
export function counting(collection: string, filter: string): IndexSearch {
  return { q: '*', query_by: 'words', per_page: 0, collection, filter_by: filter }
}

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
    throw new Rejected(`Typesense rejects a request with ${status}: ${messageOf(error).slice(0, 300)}`, status, {
      cause: error,
    })
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Errors.TypesenseError ? error.httpStatus : undefined
}

async function orMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof Rejected && error.status === 404) return undefined
    throw error
  }
}

type Adapter = Extract<ConfigurationOptions['axiosAdapter'], (...parameters: never) => unknown>

/**
 * Sends the client's requests with `fetch`, which Bun, Deno and the tests' network support, and limits each of them, because the client
 * sets no limit on imports.
 *
 * @param longestMs the limit of requests without one of their own
 */
function fetchAdapter(longestMs: number): Adapter {
  return async config => {
    const signals = [AbortSignal.timeout(config.timeout || longestMs)]
    const cancelled = new AbortController()
    config.cancelToken?.promise.then(() => cancelled.abort())
    const response = await fetch(addressOf(config.url ?? '', config.params), {
      method: (config.method ?? 'get').toUpperCase(),
      headers: headersOf(config.headers.toJSON()),
      signal: AbortSignal.any([...signals, cancelled.signal]),
      ...(typeof config.data === 'string' ? { body: config.data } : {}),
    })
    return {
      data: await response.text(),
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
      config,
    }
  }
}

function addressOf(address: string, parameters: unknown): string {
  const url = new URL(address)
  if (typeof parameters === 'object' && parameters !== null) {
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
    }
  }
  return url.href
}

function headersOf(given: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined || value === null || value === false ? [] : [[name, String(value)]],
    ),
  )
}
