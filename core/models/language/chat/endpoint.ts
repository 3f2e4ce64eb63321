import {
  checkApiKey,
  endpointUrl,
  failureKind,
  parseJson,
  postJson,
  readBounded,
  retryAfterMs,
} from '../../http/post-json.ts'
import {
  COMPLETION_BYTES_MAX,
  type LanguageEndpoint,
  type Outcome,
  type Question,
  REQUEST_TIMEOUT_MS,
  transient,
} from '../endpoint.ts'
import { LearnedWay } from '../learned-way.ts'
import { readChat } from './completion.ts'
import { TOOL_WAY, WAYS } from './request.ts'

export interface ChatEndpointSettings {
  /**
   * Base of the API (`http://localhost:11434/v1`; `/v1` is added to a bare host), or the whole address when it ends in
   * `/chat/completions`.
   */
  readonly url: string
  /** The model's name as the server knows it. */
  readonly model: string
  /** Servers in one's own network mostly want none. */
  readonly apiKey?: string
  /** Bounds one request, from sending to the last byte of the completion. Default 120,000. */
  readonly requestTimeoutMs?: number
}

const ERROR_BYTES_MAX = 65_536
/** A longer bound of tokens is shortened once when the request is refused. */
const SHORTENED_FROM = 2_000

/** Calls an OpenAI-compatible `POST /chat/completions`, one completion at a time. */
export class ChatEndpoint implements LanguageEndpoint {
  readonly #url: URL
  readonly #settings: ChatEndpointSettings
  readonly #way = new LearnedWay(WAYS.length, TOOL_WAY)

  /** @throws Error in a sentence for an operator when a setting cannot work */
  constructor(settings: ChatEndpointSettings) {
    this.#url = endpointUrl(settings.url, '/chat/completions', 'LANGUAGE_MODEL_URL')
    checkApiKey(settings.apiKey, 'LANGUAGE_MODEL_API_KEY')
    this.#settings = settings
  }

  get proven(): boolean {
    return this.#way.proven
  }

  forgetWay(): void {
    this.#way.forget()
  }

  async send(question: Question, signal: AbortSignal): Promise<Outcome> {
    const outcome = await this.#way.send(question, way => this.#request(question, way, signal))
    const { maxTokens } = question
    if (outcome.kind !== 'rejected' || maxTokens < SHORTENED_FROM) return outcome
    // Input and completion share the context of a model, and servers refuse a bound that leaves too little for the input.
    const shorter = { ...question, maxTokens: Math.ceil(maxTokens / 4) }
    return this.#way.send(shorter, way => this.#request(shorter, way, signal))
  }

  async #request(question: Question, way: number, signal: AbortSignal): Promise<Outcome> {
    const { apiKey, model, requestTimeoutMs: timeoutMs = REQUEST_TIMEOUT_MS } = this.#settings
    const body = { model, stream: false, ...WAYS[way]?.(question) }
    const posted = await postJson(this.#url, body, { apiKey, timeoutMs, signal }, async response => {
      if (!response.ok) return failedOutcome(response.status, await errorOf(response), response.headers)
      const completion = parseJson(await readBounded(response, COMPLETION_BYTES_MAX))
      return readChat(completion, question, JSON.stringify(body).length) ?? brokenOutcome(completion)
    })
    return posted.kind === 'read' ? posted.value : { ...transient(posted.message), isAway: posted.isAway }
  }
}

/** Gateways report a provider that fails in the middle of a completion with status 200 and an error in the body. */
function brokenOutcome(completion: unknown): Outcome {
  const { error, choices } = Object(completion)
  const given: unknown = error ?? Object(Array.isArray(choices) ? choices[0] : undefined).error
  const code: unknown = Object(given).code
  if (typeof code === 'number' && code >= 400 && code < 600) return failedOutcome(code, given, new Headers())
  return transient('answered with something else than a completion')
}

async function errorOf(response: Response): Promise<unknown> {
  const body = parseJson(await readBounded(response, ERROR_BYTES_MAX).catch(() => ''))
  const { error } = Object(body)
  return typeof error === 'object' && error !== null ? error : body
}

/** These codes blame a bill and not the request. */
const BILLING_CODE = /insufficient_quota|billing|credit|payment/
/** These codes, and a list of reasons, blame the text. */
const MODERATION_CODE = /content_filter|content_policy|moderation/

function failedOutcome(status: number, error: unknown, headers: Headers): Outcome {
  const { code, type, metadata } = Object(error)
  // Only identifiers are read: the words of an error may quote the text or the key.
  const names = [code, type].filter(name => typeof name === 'string' && /^\w{1,40}$/.test(name))
  const message = `answered with status ${status}${names[0] ? ` (${names[0]})` : ''}`
  if (status === 402 || names.some(name => BILLING_CODE.test(name))) {
    return { kind: 'misconfigured', message: `${message}: check the account's payment` }
  }
  const isModerated = Array.isArray(Object(metadata).reasons) || names.some(name => MODERATION_CODE.test(name))
  const kind = failureKind(status)
  if (kind === 'rejected' || isModerated) return { kind: 'rejected', message }
  if (kind === 'transient') {
    // Servers that fail to build a grammar of the schema often say so with 500.
    const mayBeWay = status === 500 || status === 501
    return { ...transient(message, retryAfterMs(headers.get('retry-after'))), mayBeWay }
  }
  return { kind, message: `${message}${ADVICE[status] ?? ': check LANGUAGE_MODEL_URL'}` }
}

const ADVICE: Readonly<Record<number, string>> = {
  401: ': check LANGUAGE_MODEL_API_KEY',
  403: ': the key may not use this model',
  404: ': check LANGUAGE_MODEL_URL and LANGUAGE_MODEL_NAME',
}
