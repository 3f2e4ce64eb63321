import { parseEmbeddings } from './embeddings-response.ts'
import { checkApiKey, endpointUrl, failureKind, postJson, readBounded, retryAfterMs } from './post-json.ts'

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
  | TransientOutcome
  /** 400, 413 or 422 blames the inputs, or our settings. */
  | { readonly kind: 'refused'; readonly message: string }
  /** For anything else, e.g. 401 or 404, nothing changes until an operator does something. */
  | { readonly kind: 'misconfigured'; readonly message: string }

export interface TransientOutcome {
  readonly kind: 'transient'
  readonly message: string
  readonly retryAfterMs: number | undefined
  /** Some servers fail like this at a text that is too long for them, or that their model has no numbers for. */
  readonly mayBlameText: boolean
  /** Nobody is there at all. */
  readonly isAway: boolean
}

const TIMEOUT_MS = 30_000
/** 2,048 vectors of 3,072 numbers take about 130 MB of JSON; a batch of ours is far below this. */
const RESPONSE_BYTES_MAX = 64 * 1024 * 1024
/** llama.cpp says so of a text that is too long, Ollama of a vector that is not a number. */
const INTERNAL_ERROR = 500
const NAME = 'of the embeddings endpoint'

/** Calls an OpenAI-compatible `POST /v1/embeddings`. */
export class EmbeddingsEndpoint {
  readonly #url: URL
  readonly #settings: EndpointSettings

  /** @throws Error in a sentence for an operator when a setting cannot work */
  constructor(settings: EndpointSettings) {
    this.#url = endpointUrl(settings.url, '/embeddings', `the address ${NAME}`)
    this.#settings = settings
    checkApiKey(settings.apiKey, `the API key ${NAME}`)
  }

  async send(inputs: readonly string[], signal: AbortSignal): Promise<Outcome> {
    const { model, dimensions, apiKey, timeoutMs = TIMEOUT_MS } = this.#settings
    const body = { model, input: inputs, ...(dimensions === undefined ? {} : { dimensions }) }
    const posted = await postJson(this.#url, body, { apiKey, timeoutMs, signal }, async response => {
      if (!response.ok) return failedOutcome(response)
      const embeddings = parseEmbeddings(await readBounded(response, RESPONSE_BYTES_MAX), inputs.length)
      if (!embeddings) return transient('answered with something else than embeddings')
      return embeddings === 'bad-vector'
        ? transient('answered with a vector of zeros or without numbers', { mayBlameText: true })
        : ({ kind: 'vectors', ...embeddings } as const)
    })
    return posted.kind === 'read' ? posted.value : transient(posted.message, { isAway: posted.isAway })
  }
}

async function failedOutcome(response: Response): Promise<Outcome> {
  const { status, headers } = response
  // The response's words are not read, since endpoints quote the input in them.
  await response.body?.cancel()
  const message = `answered with status ${status}`
  const kind = failureKind(status)
  if (kind === 'rejected') return { kind: 'refused', message }
  if (kind === 'misconfigured') return { kind, message }
  return transient(message, {
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
    mayBlameText: status === INTERNAL_ERROR,
  })
}

function transient(message: string, known: Partial<TransientOutcome> = {}): Outcome {
  return { kind: 'transient', message, retryAfterMs: undefined, mayBlameText: false, isAway: false, ...known }
}
