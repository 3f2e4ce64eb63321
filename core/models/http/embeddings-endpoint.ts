import { unitVector } from '../unit-vector.ts'
import { askJson, checkApiKey, endpointUrl, type Failure, parseJson } from './post-json.ts'

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

export type Outcome =
  | ({ readonly kind: 'vectors' } & Embeddings)
  /** Some servers fail at a text that is too long for them, or that their model has no numbers for, as if they were in trouble. */
  | (Failure & { readonly mayBlameText?: boolean })

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
    const options = { apiKey, timeoutMs, signal, bytesMax: RESPONSE_BYTES_MAX }
    const outcome = await askJson<Outcome>(this.#url, body, options, text => {
      const embeddings = parseEmbeddings(text, inputs.length)
      if (embeddings === undefined)
        return { kind: 'transient', message: 'answered with something else than embeddings' }
      return embeddings === 'bad-vector' ? BAD_VECTOR : { kind: 'vectors', ...embeddings }
    })
    return outcome.kind === 'transient' && outcome.status === INTERNAL_ERROR
      ? { ...outcome, mayBlameText: true }
      : outcome
  }
}

const BAD_VECTOR: Outcome = {
  kind: 'transient',
  message: 'answered with a vector of zeros or without numbers',
  mayBlameText: true,
}

export interface Embeddings {
  /** In the order of the inputs, of length 1, all of one dimension. */
  readonly vectors: readonly Float32Array[]
  /** Counts the tokens of the whole batch, where the endpoint says so. */
  readonly tokens: number | undefined
}

/**
 * Returns undefined when the text is not a complete response for `count` inputs, and `bad-vector` when it is one but for
 * a vector of zeros or without numbers, as models that fail at one text have it.
 */
export function parseEmbeddings(text: string, count: number): Embeddings | 'bad-vector' | undefined {
  const body = parseJson(text)
  const { data, usage } = Object(body)
  if (!Array.isArray(data) || data.length !== count) return undefined
  const vectors = new Map<number, Float32Array | undefined>()
  for (const [position, item] of data.entries()) {
    // `index` gives the order; a few servers leave it out and keep to the order of the inputs.
    const { index = position, embedding } = Object(item)
    if (!Number.isInteger(index) || index < 0 || index >= count) return undefined
    vectors.set(index, isNumbers(embedding) ? unitVector(embedding) : undefined)
  }
  if (vectors.size !== count) return undefined
  const ordered = [...vectors].sort(([a], [b]) => a - b).flatMap(([, vector]) => vector ?? [])
  const dimensions = ordered[0]?.length
  if (ordered.some(vector => vector.length !== dimensions)) return undefined
  if (ordered.length !== count) return 'bad-vector'
  const tokens: unknown = Object(usage).prompt_tokens
  return { vectors: ordered, tokens: Number.isSafeInteger(tokens) && Number(tokens) > 0 ? Number(tokens) : undefined }
}

/**
 * Splits a batch's tokens among its inputs, in proportion to their lengths: one each (no input has none), the rest
 * by cumulative rounding, so that the parts add up to the whole.
 */
export function spreadTokens(total: number, lengths: readonly number[]): number[] {
  const each = total >= lengths.length ? 1 : 0
  const rest = total - each * lengths.length
  const sum = lengths.reduce((a, b) => a + b, 0) || 1
  let covered = 0
  let given = 0
  return lengths.map(length => {
    covered += length
    const due = Math.round((rest * covered) / sum)
    const part = due - given
    given = due
    return each + part
  })
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'number')
}
