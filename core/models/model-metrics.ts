import { Counter, Histogram, type Registry } from 'prom-client'
import type { OpenEmbedder } from './embedder.ts'
import type { OpenLanguageModel } from './language/language-model.ts'

/** The names of classes of errors are few. */
function outcomeOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}

/** Runs a call and observes how long it took under the name of its outcome. */
async function timed<T>(observe: (outcome: string, seconds: number) => void, call: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  try {
    const result = await call()
    observe('ok', seconds())
    return result
  } catch (error) {
    observe(outcomeOf(error), seconds())
    throw error
  }
}

/** Measures calls of the embedder with the time that they wait for it, and counts what it reads. */
export function measuredEmbedder(embedder: OpenEmbedder, registry: Registry): OpenEmbedder {
  const duration = new Histogram({
    name: 'mneme_embedder_call_duration_seconds',
    help: 'Time until the embedder gave the vectors of a call, by priority and outcome.',
    labelNames: ['priority', 'outcome'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  })
  const tokens = new Counter({
    name: 'mneme_embedder_tokens_total',
    help: 'Tokens that the embedder read.',
    registers: [registry],
  })
  return {
    get modelId() {
      return embedder.modelId
    },
    get dimensions() {
      return embedder.dimensions
    },
    async embed(texts, options) {
      const observe = (outcome: string, seconds: number) =>
        duration.labels(options?.priority ?? 'document', outcome).observe(seconds)
      const made = await timed(observe, () => embedder.embed(texts, options))
      tokens.inc(made.reduce((sum, one) => sum + one.tokens, 0))
      return made
    },
    ready: () => embedder.ready(),
    close: () => embedder.close(),
  }
}

/** Measures calls of the language model with their waits and retries, and counts the tokens of those that succeed. */
export function measuredLanguage(model: OpenLanguageModel, registry: Registry): OpenLanguageModel {
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
  return {
    get modelId() {
      return model.modelId
    },
    available: priority => model.available(priority),
    outage: () => model.outage(),
    async generate(request) {
      const observe = (outcome: string, seconds: number) => duration.labels(request.operation, outcome).observe(seconds)
      const generated = await timed(observe, () => model.generate(request))
      tokens.labels(request.operation, 'input').inc(generated.usage.inputTokens)
      tokens.labels(request.operation, 'output').inc(generated.usage.outputTokens)
      return generated
    },
    close: () => model.close(),
  }
}
