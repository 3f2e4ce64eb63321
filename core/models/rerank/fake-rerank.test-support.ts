/**
 * Fakes servers with `/rerank` for tests. A text is scored by the words it shares with the query, on the scale of the server.
 * Written from https://docs.cohere.com/reference/rerank, https://api.jina.ai/redoc, vLLM's `rerank` protocol, the README of
 * llama.cpp's server, https://huggingface.github.io/text-embeddings-inference and
 * https://docs.voyageai.com/reference/reranker-api. Failures quote the request and the key, as proxies do.
 */
import { HttpResponse } from 'msw/http'
import { fakeNetwork } from '../http/fake-network.test-support.ts'

export const FAKE_RERANK_URL = 'http://rerank.test'
export const FAKE_RERANK_KEY = 'rk-very-secret'
export const FAKE_RERANK_MODEL = 'rerank-v3.5'

export const RERANK_SERVERS = ['cohere', 'jina', 'vllm', 'llama.cpp', 'tei', 'voyage'] as const
export type RerankServer = (typeof RERANK_SERVERS)[number]

export interface RerankRequest {
  readonly model?: string
  readonly query: string
  readonly documents?: readonly string[]
  readonly texts?: readonly string[]
  readonly truncate?: boolean
}

/** Replaces the response to a request; undefined leaves it as it is. */
export type RerankReply = (request: RerankRequest, attempt: number) => Response | undefined | Promise<Response>

/** Text Embeddings Inference takes no more texts at once unless it is told to. */
const TEI_TEXTS_MAX = 32

export class FakeRerank {
  readonly requests: RerankRequest[] = []
  server: RerankServer = 'cohere'
  #reply: RerankReply = () => undefined
  readonly #network = fakeNetwork(`${FAKE_RERANK_URL}/rerank`, request => this.handle(request))

  async start(): Promise<void> {
    await this.#network.enable()
  }

  async stop(): Promise<void> {
    await this.#network.disable()
  }

  /** Forgets all requests, and responds so from now on. */
  respond(reply: RerankReply): void {
    this.#reply = reply
    this.requests.length = 0
  }

  async handle(incoming: Request): Promise<Response> {
    const request: RerankRequest = await incoming.json()
    this.requests.push(request)
    if (incoming.headers.get('authorization') !== `Bearer ${FAKE_RERANK_KEY}`) return failure(401, request)
    const reply = await this.#reply(request, this.requests.length)
    return reply ?? RESPONSES[this.server](request)
  }
}

interface Scored {
  readonly index: number
  readonly share: number
  readonly text: string
}

/** Lists texts with the share of the query's words that they hold, the best first. */
function scored(query: string, texts: readonly string[]): Scored[] {
  const words = wordsOf(query)
  return texts
    .map((text, index) => ({
      index,
      text,
      share: wordsOf(text).filter(word => words.includes(word)).length / words.length,
    }))
    .toSorted((a, b) => b.share - a.share)
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const logit = (share: number) => 8 * share - 4

const isTexts = (texts: readonly string[] | undefined): texts is readonly string[] =>
  texts !== undefined && texts.length > 0 && texts.every(text => text !== '')

const RESPONSES: Readonly<Record<RerankServer, (request: RerankRequest) => Response>> = {
  cohere: request =>
    byDocuments(request, true, results => ({
      id: 'r1',
      results: results.map(({ index, share }) => ({ index, relevance_score: share })),
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
    })),
  jina: request =>
    byDocuments(request, true, results => ({
      model: request.model,
      usage: { total_tokens: 77 },
      results: results.map(({ index, share, text }) => ({ index, relevance_score: share, document: { text } })),
    })),
  vllm: request =>
    byDocuments(request, true, results => ({
      id: 'rerank-1',
      model: request.model,
      usage: { total_tokens: 77, prompt_tokens: 77 },
      results: results.map(({ index, share, text }) => ({
        index,
        document: { text, multi_modal: null },
        relevance_score: share,
      })),
    })),
  'llama.cpp': request =>
    byDocuments(request, false, results => ({
      model: 'gpt-3.5-turbo',
      object: 'list',
      usage: { prompt_tokens: 77, total_tokens: 77 },
      results: results.map(({ index, share }) => ({ index, relevance_score: logit(share) })),
    })),
  voyage: request =>
    byDocuments(request, true, results => ({
      object: 'list',
      data: results.map(({ index, share }) => ({ index, relevance_score: share })),
      model: request.model,
      usage: { total_tokens: 77 },
    })),
  tei(request) {
    const { texts, query } = request
    if (!isTexts(texts)) return failure(422, request)
    if (texts.length > TEI_TEXTS_MAX) return failure(413, request)
    return HttpResponse.json(scored(query, texts).map(({ index, share }) => ({ index, score: share })))
  },
}

function byDocuments(request: RerankRequest, needsModel: boolean, body: (results: Scored[]) => object): Response {
  const { documents, query, model } = request
  if (!isTexts(documents) || query === '' || (needsModel && model !== FAKE_RERANK_MODEL)) return failure(422, request)
  return HttpResponse.json(body(scored(query, documents)))
}

/** Makes a failure as servers send it, quoting the request and the key. */
export function failure(status: number, request: RerankRequest, headers: Record<string, string> = {}): Response {
  const message = `bad: ${request.query} ${FAKE_RERANK_KEY}`
  return HttpResponse.json({ message, error: message }, { status, headers })
}

export { HttpResponse }
