import { type Static, type TObject, Type } from '@sinclair/typebox'

const HTTP_MESSAGE = 'must begin with http:// or https://'

/** Every setting that is an HTTP address has this pattern. */
export const HTTP_PATTERN = '^https?://'

/** @param onlyWith the setting without which this one has no effect */
export const httpAddress = (description: string, onlyWith?: string) =>
  Type.String({ pattern: HTTP_PATTERN, errorMessage: HTTP_MESSAGE, description, ...(onlyWith ? { onlyWith } : {}) })

const EMBEDDINGS_HTTP = 'EMBEDDINGS=http'
const LANGUAGE_HTTP = 'LANGUAGE_MODEL=http'

const text = (description: string, onlyWith?: string) =>
  Type.Optional(Type.String({ description, ...(onlyWith ? { onlyWith } : {}) }))

/** Settings of the models, by the names of their environment variables. */
export const modelSettings = {
  EMBEDDINGS: Type.Union([Type.Literal('local'), Type.Literal('http')], {
    default: 'local',
    description: '`local` runs the built-in model; `http` calls an OpenAI-compatible endpoint.',
  }),
  EMBEDDINGS_URL: Type.Optional(httpAddress('Base address of the endpoint.', EMBEDDINGS_HTTP)),
  EMBEDDINGS_MODEL: text('Model to ask the endpoint for.', EMBEDDINGS_HTTP),
  EMBEDDINGS_DIMENSIONS: Type.Optional(
    Type.Integer({
      minimum: 8,
      maximum: 4096,
      description: 'Length of its vectors. Unset: the endpoint is asked at each start, which fails while it is away.',
      onlyWith: EMBEDDINGS_HTTP,
    }),
  ),
  EMBEDDINGS_API_KEY: text('Sent to the endpoint as a bearer token.', EMBEDDINGS_HTTP),
  EMBEDDINGS_PREVIOUS_API_KEY: text(
    'Sent to the endpoint that was configured before, on another host, while texts are embedded again.',
  ),
  RERANK_URL: Type.Optional(
    httpAddress('Address of a reranker with the common HTTP /rerank. Unset: searches keep their own order.'),
  ),
  RERANK_MODEL: text('The model that is asked there; servers that hold one need no name.', 'RERANK_URL'),
  RERANK_API_KEY: text('Sent there as a bearer token.', 'RERANK_URL'),
  LANGUAGE_MODEL: Type.Optional(
    Type.Union([Type.Literal('claude'), Type.Literal('http'), Type.Literal('none')], {
      description:
        'Which language model reads and writes texts: `claude`, `http` (OpenAI-compatible) or `none`. Unset: none.',
    }),
  ),
  LANGUAGE_MODEL_URL: Type.Optional(
    httpAddress(
      'Base address of an OpenAI-compatible API with /chat/completions, for `LANGUAGE_MODEL=http`.',
      LANGUAGE_HTTP,
    ),
  ),
  LANGUAGE_MODEL_NAME: text('The model that is asked there.', LANGUAGE_HTTP),
  LANGUAGE_MODEL_API_KEY: text('Sent there as a bearer token.', LANGUAGE_HTTP),
  LANGUAGE_MODEL_CONCURRENCY: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 4,
    description: 'Calls of a language model at once in each process; one more is kept for requests that wait for it.',
  }),
  ANTHROPIC_API_KEY: text('A key of Claude, required with `LANGUAGE_MODEL=claude`. Alone it sends nothing.'),
  ANTHROPIC_BASE_URL: Type.Optional(
    httpAddress("Address of a gateway to Claude. Unset: Anthropic's own.", 'LANGUAGE_MODEL=claude'),
  ),
  ANTHROPIC_MODEL: Type.String({ default: 'claude-haiku-5-5', description: 'Which Claude is asked.' }),
}

/** Returns the faults that span several of these settings, each with the sentence to show. */
export function modelFaults(
  config: Static<TObject<typeof modelSettings>>,
): readonly { readonly name: string; readonly message: string }[] {
  const faults: { name: string; message: string }[] = []
  if (config.EMBEDDINGS === 'http') {
    for (const name of ['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL'] as const) {
      if (!config[name]) faults.push({ name, message: 'is required when EMBEDDINGS is http.' })
    }
  }
  if (config.LANGUAGE_MODEL === 'http') {
    for (const name of ['LANGUAGE_MODEL_URL', 'LANGUAGE_MODEL_NAME'] as const) {
      if (!config[name]) faults.push({ name, message: 'is required when LANGUAGE_MODEL is http.' })
    }
  }
  if (config.LANGUAGE_MODEL === 'claude' && !config.ANTHROPIC_API_KEY) {
    faults.push({ name: 'ANTHROPIC_API_KEY', message: 'is required when LANGUAGE_MODEL is claude.' })
  }
  if (config.LANGUAGE_MODEL === undefined && config.LANGUAGE_MODEL_URL) {
    faults.push({ name: 'LANGUAGE_MODEL', message: 'must be http for LANGUAGE_MODEL_URL to be used, or none.' })
  }
  return faults
}
