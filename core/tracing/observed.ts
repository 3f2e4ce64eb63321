import type { Attributes } from '@opentelemetry/api'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Embedder, OpenEmbedder } from '../models/embedder.ts'
import type { LanguageModel, OpenLanguageModel } from '../models/language/language-model.ts'
import type { Reranker } from '../models/rerank/reranker.ts'
import type { OutgoingClient } from '../outgoing/client.ts'
import { OutgoingError } from '../outgoing/outgoing-error.ts'
import { withMembers } from '../with-members.ts'
import type { Tracing } from './tracing.ts'

/** Measures and traces what the service calls. */
export interface Watch {
  /** Undefined where nothing is traced, which then costs nothing. */
  readonly tracing: Tracing | undefined
  readonly registry: Registry
}

interface Call<T> {
  readonly name: string
  readonly attributes: Attributes
  run(): Promise<T>
  /** Returns what the span tells of the result. */
  tells?(result: T): Attributes
  /** Counts the call, by what became of it; `outcome` is `ok` or the name of an error's class, of which there are few. */
  counts?(outcome: string, seconds: number, result: T | undefined, error: unknown): void
}

/** Makes a call in a span of its own. */
function observe<T>(tracing: Tracing | undefined, { name, attributes, run, tells, counts }: Call<T>): Promise<T> {
  const timed = async (): Promise<T> => {
    const startedAt = performance.now()
    const seconds = () => (performance.now() - startedAt) / 1000
    try {
      const result = await run()
      counts?.('ok', seconds(), result, undefined)
      return result
    } catch (error) {
      counts?.(error instanceof Error ? error.name : 'unknown', seconds(), undefined, error)
      throw error
    }
  }
  if (!tracing) return timed()
  return tracing.span({ name, kind: 'client', attributes }, async span => {
    const result = await timed()
    if (tells) span.setAttributes(tells(result))
    return result
  })
}

/** Calls of the embedder with the time that they wait for it, and what it reads. */
export function observedEmbedder({ tracing, registry }: Watch, embedder: OpenEmbedder): OpenEmbedder {
  const duration = new Histogram({
    name: 'mneme_embedder_call_duration_seconds',
    help: 'Time until the embedder gave the vectors of a call, by priority and outcome.',
    labelNames: ['priority', 'outcome'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  })
  const read = new Counter({
    name: 'mneme_embedder_tokens_total',
    help: 'Tokens that the embedder read.',
    registers: [registry],
  })
  const embed: Embedder['embed'] = (texts, options) => {
    const priority = options?.priority ?? 'document'
    return observe(tracing, {
      name: `embeddings ${embedder.modelId}`,
      attributes: { ...asked('embeddings', embedder.modelId), 'mneme.texts': texts.length, 'mneme.priority': priority },
      run: () => embedder.embed(texts, options),
      tells: made => ({ [INPUT_TOKENS]: tokensOf(made) }),
      counts(outcome, seconds, made = []) {
        duration.labels(priority, outcome).observe(seconds)
        read.inc(tokensOf(made))
      },
    })
  }
  return withMembers(embedder, { embed })
}

const tokensOf = (made: readonly { readonly tokens: number }[]) => made.reduce((sum, { tokens }) => sum + tokens, 0)

const INPUT_TOKENS = 'gen_ai.usage.input_tokens'

function asked(operation: string, modelId: string): Attributes {
  return { 'gen_ai.operation.name': operation, 'gen_ai.request.model': modelId }
}

/** Calls of the language model with their waits and retries, and the tokens of those that succeed. */
export function observedLanguage({ tracing, registry }: Watch, model: OpenLanguageModel): OpenLanguageModel {
  const duration = new Histogram({
    name: 'mneme_language_model_call_duration_seconds',
    help: 'Time that calls of the language model took, by operation and outcome.',
    labelNames: ['operation', 'outcome'],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 180],
    registers: [registry],
  })
  const tokens = new Counter({
    name: 'mneme_language_model_tokens_total',
    help: 'Tokens of calls that succeeded, by operation, read or written.',
    labelNames: ['operation', 'direction'],
    registers: [registry],
  })
  const generate: LanguageModel['generate'] = request => {
    const { operation, maxTokens } = request
    return observe(tracing, {
      name: `chat ${model.modelId}`,
      attributes: {
        ...asked('chat', model.modelId),
        'gen_ai.request.max_tokens': maxTokens,
        'mneme.operation': operation,
      },
      run: () => model.generate(request),
      tells: ({ usage }) => ({ [INPUT_TOKENS]: usage.inputTokens, 'gen_ai.usage.output_tokens': usage.outputTokens }),
      counts(outcome, seconds, generated) {
        duration.labels(operation, outcome).observe(seconds)
        if (!generated) return
        tokens.labels(operation, 'input').inc(generated.usage.inputTokens)
        tokens.labels(operation, 'output').inc(generated.usage.outputTokens)
      },
    })
  }
  return withMembers(model, { generate })
}

export function observedReranker({ tracing }: Watch, reranker: Reranker): Reranker {
  const { modelId } = reranker
  const score: Reranker['score'] = (query, texts, options) =>
    observe(tracing, {
      name: `rerank ${modelId}`,
      attributes: { ...asked('rerank', modelId), 'mneme.texts': texts.length },
      run: () => reranker.score(query, texts, options),
      tells: ({ tokens }) => ({ [INPUT_TOKENS]: tokens }),
    })
  return withMembers(reranker, { score })
}

/** Requests to URLs that users gave; the host is named, the path may be a secret. */
export function observedOutgoing({ tracing, registry }: Watch, client: OutgoingClient): OutgoingClient {
  const requests = new Counter({
    name: 'mneme_outgoing_requests_total',
    help: 'Requests to URLs that users gave, by the class of the response or the code of the error.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  new Gauge({
    name: 'mneme_outgoing_connections',
    help: 'Connections to URLs that users gave, and requests that wait for one or for their look-up.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { open, waiting } = client.load()
      this.set({ state: 'open' }, open)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  const request: OutgoingClient['request'] = (url, options) => {
    const method = options?.method ?? 'GET'
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    return observe(tracing, {
      name: method,
      attributes: { 'http.request.method': method, 'server.address': host },
      run: () => client.request(url, options),
      tells: ({ status }) => ({ 'http.response.status_code': status }),
      counts(_, _seconds, response, error) {
        const failed = error instanceof OutgoingError ? error.code : 'ABORTED'
        requests.inc({ outcome: response ? `${Math.floor(response.status / 100)}xx` : failed })
      },
    })
  }
  return withMembers(client, { request })
}
