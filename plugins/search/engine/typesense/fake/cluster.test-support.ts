/**
 * A stateful Typesense for tests, with one node or several, at the level of `fetch` and without a socket: collections, aliases, imports,
 * deletions, exports and `multi_search` with filters, words, vectors, sorting and pages, errors included.
 *
 * It follows Typesense's own documents (docs-site of typesense/typesense-website): 29.0 `api/documents.md` (imports respond with 200 and a
 * result per line), `api/search.md`, `api/vector-search.md` (k, distance_threshold, flat_search_cutoff), `api/collection-alias.md`, and
 * 30.0 `api/federated-multi-search.md`; `src/filter.cpp` and `src/collection.cpp` of typesense/typesense for the parsing of filters and the
 * wording of errors; and observations on servers 29.0 and 30: a missing collection is an error inside `results`, an address may have 4,000
 * characters, a page 250 hits, a cluster without a leader searches and refuses writes, and its followers lag behind. A restarted node says
 * that it is healthy and serves what it has while it replays its log, and its lag counts entries of that log, of which an import of any size
 * is one; a missing vector field has two wordings; a collection carries metadata. The HNSW index is modelled by documents that it overlooks.
 * It does not model Typesense's speed or word ranking.
 *
 * msw's `setupServer` hooks Node's sockets, which Bun's own `fetch` does not use; its network with the interceptor of `fetch` works on Bun.
 * `setupServer` can replace it once it supports Bun.
 */
import type { HttpRequestEventMap, Interceptor } from '@mswjs/interceptors'
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import { HttpResponse, http } from 'msw/http'
import type { Document } from './documents.test-support.ts'
import { FakeFault } from './filter.test-support.ts'
import { type Entry, FakeNode, Log } from './node.test-support.ts'
import { describe, type Store } from './store.test-support.ts'

export const FAKE_KEY = 'fake-key'

/** The ways a node fails: its socket is closed, it never responds, or it responds with 503. */
export type Failure = 'closed' | 'silent' | 'busy'

export interface FakeRequest {
  readonly node: number
  readonly method: string
  readonly path: string
  /** Its `filter_by`; empty without one. */
  readonly filter: string
}

export class FakeTypesense {
  readonly urls: readonly string[]
  readonly requests: FakeRequest[] = []
  /** Returns the error for a document that an import refuses; undefined accepts it. */
  refuse: (document: Document) => string | undefined = () => undefined
  /** Runs before a request is carried out and is awaited; a returned fault becomes the response. */
  onRequest: (request: FakeRequest) => FakeFault | void | Promise<void> = () => undefined
  /** If set, writes are rejected: the disk is nearly full, or another process changes the schema at the moment. */
  rejects: 'writes' | 'schemas' | undefined
  /** Without a leader, searches work and writes fail. */
  leader = true
  readonly #log = new Log()
  readonly #nodes: FakeNode[]
  readonly #failures = new Map<number, Failure>()
  readonly #network

  constructor(nodes = 1, host = 'typesense.test') {
    this.urls = Array.from({ length: nodes }, (_, n) => `http://node${n}.${host}:8108`)
    this.#nodes = this.urls.map(() => new FakeNode(this.#log))
    this.#network = defineNetwork({
      sources: [new InterceptorSource({ interceptors: [fetchInterceptor()] })],
      handlers: this.urls.map((url, node) => http.all(`${url}/*`, ({ request }) => this.response(node, request))),
      // The tests of one process share its fetch, so requests to others must pass without complaint.
      onUnhandledFrame: 'bypass',
      context: { quiet: true },
    })
  }

  async start(): Promise<void> {
    await this.#network.enable()
  }

  async stop(): Promise<void> {
    await this.#network.disable()
  }

  /** The data of the leader. */
  get store(): Store {
    return this.#node(0).store
  }

  /** If true, followers receive writes only on {@link catchUp}. */
  set lagging(lagging: boolean) {
    for (const follower of this.#nodes.slice(1)) follower.held = lagging
  }

  /** Documents that searches with the HNSW index overlook. */
  set overlooked(overlooked: (document: Document) => boolean) {
    for (const { store } of this.#nodes) store.overlooked = overlooked
  }

  /** Returns the documents of a collection or alias, without the markers of processes. */
  documents(name: string): Document[] {
    const all = [...this.store.collection(name).documents.values()]
    return all.filter(({ workspace }) => workspace !== 'marker')
  }

  /** Makes nodes fail, all of them by default. */
  fail(failure: Failure | undefined, nodes: readonly number[] = this.urls.map((_, n) => n)): void {
    for (const node of nodes) {
      if (failure) this.#failures.set(node, failure)
      else this.#failures.delete(node)
    }
  }

  /** Kills nodes and starts them again: from then on they replay the log, with {@link replay}. @returns its number of entries */
  restart(nodes: readonly number[] = this.urls.map((_, n) => n)): number {
    for (const node of nodes) this.#node(node).restart()
    return this.#log.entries.length
  }

  /** Lets restarted nodes apply some entries of the log and no more until the next call. */
  replay(entries: number): void {
    for (const node of this.#nodes.filter(({ lag }) => lag > 0)) node.apply(entries)
  }

  /** Brings all nodes up to date, and they stay so. */
  catchUp(): void {
    for (const node of this.#nodes) {
      node.held = false
      node.apply()
    }
  }

  /** The number of entries in the log. */
  get entries(): number {
    return this.#log.entries.length
  }

  /** Loses all entries of the log but the first ones, as a disk that is restored from a snapshot. */
  rollBack(entries: number): void {
    this.#log.entries.length = entries
    for (const node of this.#nodes) node.restart()
    this.catchUp()
  }

  /** Empties the disk. */
  wipe(): void {
    this.rollBack(0)
  }

  /** Returns the response of a node, for callers that do not use the network of {@link start}. */
  async response(node: number, request: Request): Promise<Response> {
    const url = new URL(request.url)
    const body = await request.text()
    const filter = url.searchParams.get('filter_by') ?? ''
    const seen = { node, method: request.method, path: url.pathname, filter }
    this.requests.push(seen)
    const fault = await this.onRequest(seen)
    if (fault instanceof FakeFault) return problem(fault.code, fault.message)
    const failure = this.#failures.get(node)
    if (failure === 'closed') return HttpResponse.error()
    if (failure === 'busy') return problem(503, 'Not Ready or Lagging')
    if (failure === 'silent') return new Promise(() => undefined)
    if (request.headers.get('x-typesense-api-key') !== FAKE_KEY) {
      return problem(401, 'Forbidden - a valid `x-typesense-api-key` header must be sent.')
    }
    if (url.search.length > 4000) {
      return problem(
        400,
        'Query string exceeds max allowed length of 4000. Use the /multi_search end-point for larger payloads.',
      )
    }
    // A node that replays its log says so too.
    if (url.pathname === '/health') return HttpResponse.json({ ok: true })
    try {
      return await this.#run(node, request.method, url, body)
    } catch (error) {
      if (error instanceof FakeFault) return problem(error.code, error.message)
      throw error
    }
  }

  async #run(node: number, method: string, url: URL, body: string): Promise<Response> {
    const [kind = '', name = '', documents, action] = url.pathname.split('/').slice(1).map(decodeURIComponent)
    const { store } = this.#node(node)
    if (method === 'GET' || url.pathname === '/multi_search') this.#node(node).checkReadLag()
    const filter = url.searchParams.get('filter_by') ?? ''
    const json = () => JSON.parse(body)
    checkRejection(this.rejects, method, url.pathname)
    switch (`${method} /${kind}${name ? '/:name' : ''}${documents ? '/documents' : ''}${action ? `/${action}` : ''}`) {
      case 'POST /multi_search':
        return HttpResponse.json(store.multiSearch(json().searches))
      case 'GET /collections':
        return HttpResponse.json([...store.collections.values()].map(describe))
      case 'GET /collections/:name':
        return HttpResponse.json(describe(store.searched(name)))
      case 'GET /collections/:name/documents/export':
        return text(store.export(name, filter, url.searchParams.get('include_fields') ?? undefined))
      case 'GET /aliases/:name': {
        const aliased = store.aliases.get(name)
        return aliased ? HttpResponse.json({ name, collection_name: aliased }) : problem(404, 'Not Found')
      }
      case 'POST /collections':
        return HttpResponse.json(await this.#write(it => it.create(json())), { status: 201 })
      case 'PATCH /collections/:name':
        return HttpResponse.json(await this.#write(it => it.alter(name, json())))
      case 'DELETE /collections/:name':
        return HttpResponse.json(await this.#write(it => it.drop(name)))
      case 'PUT /aliases/:name':
        await this.#write(it => it.aliases.set(name, json().collection_name))
        return HttpResponse.json({ name, collection_name: json().collection_name })
      case 'POST /collections/:name/documents/import':
        return text(await this.#write(it => it.upsert(name, body, this.refuse)))
      case 'DELETE /collections/:name/documents':
        return HttpResponse.json(await this.#write(it => it.remove(name, filter)))
      default:
        return problem(404, 'Not Found')
    }
  }

  /** Any node passes a write to the leader, which responds once it has applied it; followers apply it later. */
  async #write<T>(change: (store: Store) => T): Promise<T> {
    if (!this.leader) throw new FakeFault(500, 'Could not find a leader.')
    const leader = this.#node(0)
    leader.checkWriteLag()
    const result = leader.resultOf<T>(this.#log.entries.length)
    this.#log.entries.push(change satisfies Entry)
    for (const node of this.#nodes) if (!node.held) node.apply()
    return result
  }

  #node(node: number): FakeNode {
    const found = this.#nodes[node]
    if (!found) throw new Error(`there is no node ${node}`)
    return found
  }
}

/** Deletions are accepted also on a full disk. */
function checkRejection(rejects: FakeTypesense['rejects'], method: string, path: string): void {
  if (rejects === 'schemas' && method === 'PATCH') {
    throw new FakeFault(422, 'Another collection update operation is in progress.')
  }
  if (rejects === 'writes' && ['POST', 'PUT', 'PATCH'].includes(method) && path !== '/multi_search') {
    throw new FakeFault(422, 'Rejecting write: running out of resource type: OUT_OF_DISK')
  }
}

/** The package types its web build and its Node build separately, though the classes are equal; `Object` drops the difference. */
function fetchInterceptor(): Interceptor<HttpRequestEventMap> {
  return Object(new FetchInterceptor())
}

function problem(status: number, message: string): Response {
  return HttpResponse.json({ message }, { status })
}

function text(body: string): Response {
  return new HttpResponse(body, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
