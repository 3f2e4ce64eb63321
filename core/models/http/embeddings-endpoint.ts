import { parseEmbeddings, readBounded } from './embeddings-response.ts'

export interface EndpointSettings {
  /**
   * Base of the API (`https://api.example.com/v1`; `/v1` is added to a bare host), or the whole address when it ends in
   * `/embeddings`.
   */
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  /** Sent to the endpoint, and checked on each response. Left out, one call at the start finds it. */
  readonly dimensions?: number
  /** Bounds one request, from sending to the last byte of the response. Default 30,000. */
  readonly timeoutMs?: number
}

/** The outcome of one request. No message holds a text, a key or anything the endpoint said in words. */
export type Outcome =
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[]; readonly tokens: number | undefined }
  /** Worth another try soon: 429, 5xx, no connection, no response in time, a response that makes no sense. */
  | { readonly kind: 'transient'; readonly message: string; readonly retryAfterMs: number | undefined }
  /** 400, 413 or 422 blames the inputs, or our settings. */
  | { readonly kind: 'refused'; readonly message: string }
  /** For anything else, e.g. 401 or 404, nothing changes until an operator does something. */
  | { readonly kind: 'misconfigured'; readonly message: string }

const TIMEOUT_MS = 30_000
const REFUSED_STATUSES = new Set([400, 413, 422])
const TRANSIENT_STATUSES = new Set([408, 409, 425, 429])

/** Calls an OpenAI-compatible `POST /v1/embeddings`. */
export class EmbeddingsEndpoint {
  readonly #url: URL
  readonly #settings: EndpointSettings

  /** @throws Error in a sentence for an operator when a setting cannot work */
  constructor(settings: EndpointSettings) {
    this.#url = embeddingsUrl(settings.url)
    this.#settings = settings
    // Checked here because a runtime's own error about a bad header quotes the header.
    if (settings.apiKey && !/^[\x21-\x7e]+$/.test(settings.apiKey)) {
      throw new Error('the API key of the embeddings endpoint holds characters that a header cannot carry')
    }
  }

  async send(inputs: readonly string[], signal: AbortSignal): Promise<Outcome> {
    const timeout = AbortSignal.timeout(this.#settings.timeoutMs ?? TIMEOUT_MS)
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: this.#headers(),
        body: this.#body(inputs),
        // A redirect would take the key elsewhere.
        redirect: 'manual',
        signal: AbortSignal.any([signal, timeout]),
      })
      if (!response.ok) return await failedOutcome(response)
      const embeddings = parseEmbeddings(await readBounded(response), inputs.length)
      return embeddings ? { kind: 'vectors', ...embeddings } : transient('answered with something else than embeddings')
    } catch (error) {
      return transient(timeout.aborted ? 'did not answer in time' : `cannot be reached (${errorCode(error)})`)
    }
  }

  #headers(): Record<string, string> {
    const { apiKey } = this.#settings
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    return apiKey ? { ...headers, authorization: `Bearer ${apiKey}` } : headers
  }

  #body(inputs: readonly string[]): string {
    const { model, dimensions } = this.#settings
    return JSON.stringify({ model, input: inputs, ...(dimensions === undefined ? {} : { dimensions }) })
  }
}

function embeddingsUrl(setting: string): URL {
  if (!URL.canParse(setting)) throw new Error('the address of the embeddings endpoint is not a URL')
  const url = new URL(setting)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error('the address of the embeddings endpoint must begin with http:// or https://')
  }
  if (url.username || url.password) {
    throw new Error('the address of the embeddings endpoint must not hold a user name or password')
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith('/embeddings')) url.pathname = `${path || '/v1'}/embeddings`
  return url
}

async function failedOutcome(response: Response): Promise<Outcome> {
  const { status, headers } = response
  // The response's words are not read, since endpoints quote the input in them.
  await response.body?.cancel()
  const message = `answered with status ${status}`
  if (REFUSED_STATUSES.has(status)) return { kind: 'refused', message }
  if (status >= 500 || TRANSIENT_STATUSES.has(status))
    return transient(message, retryAfterMs(headers.get('retry-after')))
  return { kind: 'misconfigured', message }
}

function transient(message: string, retryAfterMs?: number): Outcome {
  return { kind: 'transient', message, retryAfterMs }
}

/** RFC 9110, section 10.2.3, has both forms: seconds, or a date. */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  const waitMs = header.trim() === '' || Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1_000
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}

/** Returns `ECONNREFUSED` and the like; never the message, which may hold the address or a header. */
function errorCode(error: unknown): string {
  const { code, name, cause } = Object(error)
  const known = [code, Object(cause).code, name].find(value => typeof value === 'string' && /^\w{1,40}$/.test(value))
  return known ?? 'unknown reason'
}
