import Anthropic from '@anthropic-ai/sdk'
import { checkApiKey, failureKind, isUnconnected, plainUrl, retryAfterMs } from '../../http/post-json.ts'
import {
  COMPLETION_BYTES_MAX,
  type LanguageEndpoint,
  type Outcome,
  type Question,
  REQUEST_TIMEOUT_MS,
  transient,
} from '../endpoint.ts'
import { LearnedWay } from '../learned-way.ts'
import { readMessage } from './completion.ts'
import { requestFor, WAYS } from './request.ts'

export interface EndpointSettings {
  readonly apiKey: string
  /** A model's name, e.g. `claude-haiku-5-5`. */
  readonly model: string
  /** The address of the API; Anthropic's own when left out. */
  readonly url?: string
  /** Bounds one request, from sending to the last byte of the completion. Default 120,000. */
  readonly requestTimeoutMs?: number
}

export const CLAUDE_URL = 'https://api.anthropic.com'

/** These codes of 400 and 429 blame a bill and not the request. */
const BILLING_CODE = /spend_limit|billing|on_hold|ramp_limit/

/** Calls Claude's Messages API, one completion at a time. */
export class ClaudeEndpoint implements LanguageEndpoint {
  readonly #client: Anthropic
  readonly #settings: EndpointSettings
  readonly #way = new LearnedWay(WAYS.length)

  /** @throws Error in a sentence for an operator when a setting cannot work */
  constructor(settings: EndpointSettings) {
    this.#settings = settings
    checkApiKey(settings.apiKey, 'ANTHROPIC_API_KEY')
    this.#client = new Anthropic({
      apiKey: settings.apiKey,
      baseURL: baseUrl(settings.url),
      webhookKey: null,
      // Retries are counted in one place, which knows how long the caller waits.
      maxRetries: 0,
      timeout: settings.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      // The client's own log would show addresses and bodies.
      logLevel: 'off',
      openTelemetry: false,
      // A redirect would take the key elsewhere.
      fetchOptions: { redirect: 'manual' },
      fetch: fetchBounded,
    })
  }

  get proven(): boolean {
    return this.#way.proven
  }

  forgetWay(): void {
    this.#way.forget()
  }

  send(question: Question, signal: AbortSignal): Promise<Outcome> {
    return this.#way.send(question, way => this.#request(question, way, signal))
  }

  async #request(question: Question, way: number, signal: AbortSignal): Promise<Outcome> {
    const timeout = AbortSignal.timeout(this.#settings.requestTimeoutMs ?? REQUEST_TIMEOUT_MS)
    try {
      const message = await this.#client.messages.create(requestFor(this.#settings.model, question, way), {
        signal: AbortSignal.any([signal, timeout]),
      })
      return readMessage(message) ?? transient('answered with something else than a message')
    } catch (error) {
      if (timeout.aborted) return transient('did not answer in time')
      return failedOutcome(error)
    }
  }
}

function baseUrl(setting: string = CLAUDE_URL): string {
  const url = plainUrl(setting, 'ANTHROPIC_BASE_URL')
  // The client adds /v1 by itself; many write it into the setting as well.
  return url.href.replace(/(\/v1)?\/*$/, '')
}

/** Looks `fetch` up at each call, and reads no endless completion. */
async function fetchBounded(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  if (!response.body) return response
  let bytes = 0
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > COMPLETION_BYTES_MAX) controller.error(new Error('the completion is too large'))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(bounded), { status, statusText, headers })
}

function failedOutcome(error: unknown): Outcome {
  const { status, headers, type, errorCode } = Object(error)
  if (!(error instanceof Anthropic.APIError) || typeof status !== 'number') {
    const isConnection = error instanceof Anthropic.APIConnectionError
    if (!isConnection) return transient('answered with something else than a message')
    return { ...transient('cannot be reached'), isAway: isUnconnected(error) }
  }
  const message = `answered with status ${status}${typeof type === 'string' && /^\w{1,40}$/.test(type) ? ` (${type})` : ''}`
  if (type === 'billing_error' || BILLING_CODE.test(String(errorCode))) {
    return { kind: 'misconfigured', message: `${message}: check the account's plan and its spend limits` }
  }
  const kind = failureKind(status)
  if (kind === 'transient') {
    return transient(message, headers instanceof Headers ? retryAfterMs(headers.get('retry-after')) : undefined)
  }
  return { kind, message: kind === 'rejected' ? message : `${message}${ADVICE[status] ?? ''}` }
}

const ADVICE: Readonly<Record<number, string>> = {
  401: ': check ANTHROPIC_API_KEY',
  402: ": check the account's payment",
  403: ': the key may not use this model',
  404: ': check ANTHROPIC_MODEL and ANTHROPIC_BASE_URL',
}
