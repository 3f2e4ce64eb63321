import { Circuit } from '../../fair/circuit.ts'
import type { Logger } from '../../log.ts'
import { inParts } from '../../parts.ts'
import { askJson, checkApiKey, endpointUrl, type Failure, parseJson } from '../http/post-json.ts'
import { estimatedTokens, sentText } from '../http/sent-text.ts'
import {
  RERANK_TEXT_CHARS_MAX,
  RERANK_TIMEOUT_MS,
  type Reranked,
  type Reranker,
  RerankerUnavailableError,
  type RerankOptions,
} from './reranker.ts'

/**
 * The number of results is left to the servers, each of which has another name for it and gives all of them without it.
 * https://docs.cohere.com/reference/rerank, https://api.jina.ai/redoc, https://docs.vllm.ai/en/latest/serving/,
 * https://huggingface.co/docs/text-embeddings-inference, https://docs.voyageai.com/reference/reranker-api
 */
const FORMS: readonly RerankForm[] = [
  {
    textsMax: Number.POSITIVE_INFINITY,
    body: (model, query, documents) => ({ ...(model ? { model } : {}), query, documents }),
  },
  { textsMax: 32, body: (_, query, texts) => ({ query, texts, truncate: true }) },
]

export interface HttpRerankerSettings {
  /** Base of the API, to which `/rerank` is added, or the whole address when it ends in `/rerank`. */
  readonly url: string
  /** Servers that hold one model need no name. */
  readonly model?: string
  readonly apiKey?: string
}

type Outcome = ({ readonly kind: 'scores' } & ReadScores) | Failure

/** A result takes some hundred bytes, and some servers repeat the text in it. */
const RESPONSE_BYTES_MAX = 8_000_000
const QUERY_CHARS_MAX = 1_000
/** So many refusals in a row are no longer put down to their texts. */
const REFUSALS_MAX = 3

/**
 * Makes a reranker behind the common HTTP `/rerank`.
 * @throws Error in a sentence for an operator when a setting cannot work
 */
export function createHttpReranker(settings: HttpRerankerSettings, log: Pick<Logger, 'info' | 'warn'>): Reranker {
  return new HttpReranker(settings, log)
}

class HttpReranker implements Reranker {
  readonly modelId: string
  readonly #settings: HttpRerankerSettings
  readonly #log: Pick<Logger, 'info' | 'warn'>
  readonly #url: URL
  readonly #circuit = new Circuit()
  /** The form that has worked; undefined before that, and once it is refused again and again. */
  #form: RerankForm | undefined
  /** Refusals in a row of the form that has worked. */
  #refusals = 0

  constructor(settings: HttpRerankerSettings, log: Pick<Logger, 'info' | 'warn'>) {
    this.#url = endpointUrl(settings.url, '/rerank', 'RERANK_URL', '')
    checkApiKey(settings.apiKey, 'RERANK_API_KEY')
    this.modelId = `http/${settings.model ?? 'default'}`
    this.#settings = settings
    this.#log = log
  }

  available(): boolean {
    return this.#circuit.waitMs() === 0
  }

  async score(query: string, texts: readonly string[], options: RerankOptions = {}): Promise<Reranked> {
    if (texts.length === 0) return { scores: [], tokens: 0 }
    if (!this.available()) throw new RerankerUnavailableError('the reranker is unavailable')
    this.#circuit.enter()
    const deadline = performance.now() + (options.timeoutMs ?? RERANK_TIMEOUT_MS)
    const given = texts.map(text => sentText(text, RERANK_TEXT_CHARS_MAX))
    const outcome = await this.#ask(sentText(query, QUERY_CHARS_MAX), given, deadline)
    if (outcome.kind !== 'scores') throw this.#refused(outcome)
    this.#refusals = 0
    if (this.#circuit.succeeded()) this.#log.info('the reranker answers again')
    const sent = given.reduce((sum, text) => sum + text.length + query.length, 0)
    return { scores: outcome.scores, tokens: outcome.tokens ?? estimatedTokens(sent) }
  }

  /** Finds out with the first request which form the server takes. */
  async #ask(query: string, texts: readonly string[], deadline: number): Promise<Outcome> {
    let outcome: Outcome = { kind: 'transient', message: 'was not asked' }
    for (const form of this.#form ? [this.#form] : FORMS) {
      outcome = await this.#send(form, query, texts, deadline)
      if (outcome.kind === 'scores') this.#form = form
      if (outcome.kind !== 'rejected') return outcome
    }
    return outcome
  }

  async #send(form: RerankForm, query: string, texts: readonly string[], deadline: number): Promise<Outcome> {
    const parts = inParts(texts, form.textsMax)
    const outcomes = await Promise.all(parts.map(part => this.#post(form, query, part, deadline)))
    const scored = outcomes.flatMap(outcome => (outcome.kind === 'scores' ? [outcome] : []))
    const bad = outcomes.find(outcome => outcome.kind !== 'scores')
    if (bad) return bad
    const tokens = scored.every(part => part.tokens !== undefined)
      ? scored.reduce((sum, part) => sum + (part.tokens ?? 0), 0)
      : undefined
    return { kind: 'scores', scores: scored.flatMap(part => part.scores), tokens }
  }

  async #post(form: RerankForm, query: string, texts: readonly string[], deadline: number): Promise<Outcome> {
    const { model, apiKey } = this.#settings
    const timeoutMs = Math.max(1, Math.round(deadline - performance.now()))
    const options = { apiKey, timeoutMs, signal: NEVER, bytesMax: RESPONSE_BYTES_MAX }
    const outcome = await askJson<Outcome>(this.#url, form.body(model, query, texts), options, text => {
      const read = readScores(text, texts.length)
      return read ? { kind: 'scores', ...read } : NO_SCORES
    })
    if (outcome.kind !== 'misconfigured') return outcome
    if (outcome.status === BACKEND_FAILED) return { ...outcome, kind: 'transient' }
    const advice = outcome.status === 401 || outcome.status === 403 ? 'RERANK_API_KEY' : 'RERANK_URL and RERANK_MODEL'
    return { ...outcome, message: `${outcome.message}: check ${advice}` }
  }

  /** Notes what the outcome says for later calls. @returns the error to throw */
  #refused(outcome: Exclude<Outcome, { kind: 'scores' }>): RerankerUnavailableError {
    const { message } = outcome
    if (outcome.kind === 'rejected' && this.#form) {
      // One text that a proven server refuses says nothing about the next call.
      this.#circuit.succeeded()
      this.#countRefusal()
    } else {
      const pauseMs =
        outcome.kind === 'misconfigured'
          ? this.#circuit.broke()
          : this.#circuit.failed(outcome.kind === 'transient' ? outcome.retryAfterMs : undefined)
      if (pauseMs !== undefined) {
        this.#log.warn(`the reranker ${message}; it is left out for the next ${Math.ceil(pauseMs / 1000)} s`)
      }
    }
    return new RerankerUnavailableError(`the reranker ${message}`)
  }

  /** The server may be another one since, or its model gone: all forms are tried again, and what refuses them all fails. */
  #countRefusal(): void {
    if (++this.#refusals < REFUSALS_MAX) return
    this.#refusals = 0
    this.#form = undefined
  }
}

const NEVER = new AbortController().signal

const NO_SCORES: Outcome = { kind: 'transient', message: 'answered with something else than scores' }

/** Text Embeddings Inference says so when its model fails. */
const BACKEND_FAILED = 424

/**
 * A form of `/rerank` that servers take. Cohere, Jina, vLLM, llama.cpp, Infinity and Voyage take `documents`; Text Embeddings
 * Inference takes `texts`, at most 32 of them unless it was started with more.
 */
interface RerankForm {
  readonly textsMax: number
  body(model: string | undefined, query: string, texts: readonly string[]): object
}

interface ReadScores {
  readonly scores: readonly number[]
  /** Undefined where the endpoint does not count. */
  readonly tokens: number | undefined
}

/** Returns undefined when the text is not a complete response for `count` texts: each must have one finite score. */
function readScores(text: string, count: number): ReadScores | undefined {
  const body = parseJson(text)
  const { results, data, usage } = Object(body)
  const items: unknown = Array.isArray(body) ? body : (results ?? data)
  if (!Array.isArray(items) || items.length !== count) return undefined
  const scores = new Map<number, number>()
  for (const item of items) {
    const { index, relevance_score, score = relevance_score } = Object(item)
    if (!Number.isInteger(index) || index < 0 || index >= count || !Number.isFinite(score)) return undefined
    scores.set(index, score)
  }
  if (scores.size !== count) return undefined
  const tokens: unknown = Object(usage).total_tokens
  return {
    scores: Array.from({ length: count }, (_, index) => scores.get(index) ?? 0),
    tokens: Number.isSafeInteger(tokens) && Number(tokens) > 0 ? Number(tokens) : undefined,
  }
}
