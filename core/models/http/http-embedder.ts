import { setTimeout as sleep } from 'node:timers/promises'
import { Circuit } from '../../fair/circuit.ts'
import { EmbedQueue, type QueuedText } from '../embed-queue.ts'
import {
  type CommonEmbedderSettings,
  EmbedderUnavailableError,
  type Embedding,
  type EmbedOptions,
  type EmbedPriority,
  type OpenEmbedder,
} from '../embedder.ts'
import { EmbeddingsEndpoint, type EndpointSettings, type Outcome, spreadTokens } from './embeddings-endpoint.ts'
import { retryPauseMs } from './post-json.ts'
import { estimatedTokens, sentText } from './sent-text.ts'

export interface HttpEmbedderSettings extends CommonEmbedderSettings, EndpointSettings {
  /**
   * Checked on each response and not sent, where the length of the vectors is known already; `dimensions` takes
   * precedence.
   */
  readonly expectedDimensions?: number
  /** One request holds so many texts. Default 64. */
  readonly batchSize?: number
  /** So many requests with documents run at once; one more is kept free for queries. Default 4. */
  readonly concurrency?: number
  /** A try that could only begin so long after the first is not made. Default 30,000; for queries at most 3,000. */
  readonly retryBudgetMs?: number
  /** So much of a text is sent, in UTF-16 units. Default 8,000: below 8,192 tokens in nearly every language. */
  readonly inputCharsMax?: number
}

const BATCH_SIZE = 64
const CONCURRENCY = 4
const RETRY_BUDGET_MS = 30_000
const QUERY_RETRY_BUDGET_MS = 3_000
/** Once a probe has shown that the endpoint serves other texts, a text at fault is not tried for long again. */
const BLAMED_RETRY_BUDGET_MS = 1_000
const RETRY_DELAY_MS = 250
const RETRY_DELAY_MAX_MS = 8_000
const INPUT_CHARS_MAX = 8_000
/** A text that is refused is cut in half down to this before it is given up: the model may read fewer tokens than we send. */
const INPUT_CHARS_MIN = 256
const CLOSE_WAIT_MS = 5_000
const PROBE_INPUT = 'probe'

/**
 * Makes an embedder behind an OpenAI-compatible endpoint.
 * @throws Error when a setting cannot work
 * @throws EmbedderUnavailableError when neither `dimensions` nor `expectedDimensions` is set and the endpoint does not
 * respond
 */
export async function createHttpEmbedder(settings: HttpEmbedderSettings): Promise<OpenEmbedder> {
  const embedder = new HttpEmbedder(settings)
  if (embedder.dimensions === 0) await embedder.ready()
  return embedder
}

type Failure = Exclude<Outcome, { kind: 'vectors' }>

/** Texts are sent with at most so many characters, tried again for so long, and perhaps sent a second time. */
interface Way {
  readonly charsMax: number
  readonly budgetMs: number
  readonly isRepeated: boolean
}

class HttpEmbedder implements OpenEmbedder {
  readonly modelId: string
  readonly #endpoint: EmbeddingsEndpoint
  readonly #settings: HttpEmbedderSettings
  readonly #queue: EmbedQueue
  readonly #abort = new AbortController()
  readonly #active = new Set<Promise<void>>()
  #dimensions: number
  /** The last request succeeded. */
  #healthy = false
  /** Some request succeeded, so a refusal is about its input and not about the settings. */
  #proven = false
  /** Keeps queries from an endpoint that is away, for searches do without them; documents wait for it. */
  readonly #circuit = new Circuit()

  constructor(settings: HttpEmbedderSettings) {
    this.modelId = `http/${settings.model}`
    this.#settings = settings
    this.#endpoint = new EmbeddingsEndpoint(settings)
    this.#dimensions = settings.dimensions ?? settings.expectedDimensions ?? 0
    this.#queue = new EmbedQueue({ textsMax: settings.queueTextsMax, onWork: () => this.#dispatch() })
  }

  get dimensions(): number {
    return this.#dimensions
  }

  async embed(texts: readonly string[], options?: EmbedOptions): Promise<Embedding[]> {
    if (options?.priority === 'query') {
      const retryAfterMs = this.#circuit.waitMs()
      if (retryAfterMs > 0)
        throw new EmbedderUnavailableError('the embeddings endpoint failed recently', { retryAfterMs })
      this.#circuit.enter()
    }
    return this.#queue.enqueue(texts, options)
  }

  async ready(): Promise<void> {
    if (this.#queue.closed) throw new EmbedderUnavailableError('the embedder is closed')
    const failure = this.#healthy ? undefined : await this.#probe()
    if (failure) throw this.#unavailable(failure)
  }

  async close(): Promise<void> {
    this.#queue.close()
    const limit = setTimeout(() => this.#abort.abort(), CLOSE_WAIT_MS)
    await Promise.all(this.#active)
    clearTimeout(limit)
  }

  /**
   * Starts as many requests as may run at once. Queries have a place of their own, so they never wait for documents;
   * background texts take half of the places of documents.
   */
  #dispatch(): void {
    const { concurrency = CONCURRENCY, batchSize = BATCH_SIZE } = this.#settings
    for (const [priority, limit] of [
      ['query', concurrency + 1],
      ['document', concurrency],
      ['background', Math.ceil(concurrency / 2)],
    ] as const) {
      while (this.#active.size < limit) {
        const batch = this.#queue.take(batchSize, priority)
        if (batch.length === 0) break
        this.#start(batch, priority)
      }
    }
  }

  #start(batch: readonly QueuedText[], priority: EmbedPriority): void {
    const { inputCharsMax = INPUT_CHARS_MAX } = this.#settings
    const way = { charsMax: inputCharsMax, budgetMs: this.#retryBudgetMs(priority), isRepeated: false }
    const work = this.#embedBatch(batch, priority, way)
      .catch(error => {
        for (const item of batch) item.reject(error)
      })
      .then(() => {
        this.#active.delete(work)
        this.#dispatch()
      })
    this.#active.add(work)
  }

  async #embedBatch(batch: readonly QueuedText[], priority: EmbedPriority, way: Way): Promise<void> {
    const items = batch.filter(item => !item.settled)
    if (items.length === 0) return
    const inputs = items.map(item => sentText(item.text, way.charsMax))
    const outcome = await this.#send(inputs, way.budgetMs, () => items.every(item => item.settled))
    if (outcome.kind === 'vectors') return resolveAll(items, inputs, outcome)
    const failure = await this.#failureBehind(outcome)
    if (failure) {
      if (priority === 'query') this.#pauseQueries(failure)
      throw this.#unavailable(failure)
    }
    const isTrouble = outcome.kind === 'transient'
    const next = { ...way, budgetMs: isTrouble ? Math.min(way.budgetMs, BLAMED_RETRY_BUDGET_MS) : way.budgetMs }
    if (items.length > 1) {
      const middle = Math.ceil(items.length / 2)
      await this.#embedBatch(items.slice(0, middle), priority, next)
      await this.#embedBatch(items.slice(middle), priority, next)
      return
    }
    // A server whose trouble is over by the probe takes all of the text.
    if (isTrouble && !way.isRepeated) return this.#embedBatch(items, priority, { ...next, isRepeated: true })
    const length = inputs[0]?.length ?? 0
    if (length > INPUT_CHARS_MIN)
      return this.#embedBatch(items, priority, { ...next, charsMax: Math.ceil(length / 2), isRepeated: false })
    items[0]?.rejectInput(`the embeddings endpoint refuses this text: it ${outcome.message}`)
  }

  /**
   * Finds out what keeps the endpoint from serving any text; undefined where these texts are to blame. One bad text must
   * not spoil its neighbours, nor a bad setting or a server in trouble look like bad texts.
   */
  async #failureBehind(outcome: Failure): Promise<Failure | undefined> {
    if (outcome.kind === 'rejected' && this.#proven) {
      this.#circuit.succeeded()
      return undefined
    }
    if (outcome.kind === 'misconfigured' || (outcome.kind === 'transient' && !outcome.mayBlameText)) return outcome
    return this.#probe()
  }

  /** Sends a text that no endpoint refuses. */
  async #probe(): Promise<Failure | undefined> {
    const outcome = await this.#send([PROBE_INPUT], this.#retryBudgetMs('query'), () => false)
    return outcome.kind === 'vectors' ? undefined : outcome
  }

  #pauseQueries(failure: Failure): void {
    const pauseMs = this.#circuit.failed(failure.retryAfterMs, failure.isAway)
    if (pauseMs === undefined) return
    const seconds = Math.ceil(pauseMs / 1_000)
    this.#settings.warn?.(`the embeddings endpoint ${failure.message}; it gets no queries for the next ${seconds} s`)
  }

  #retryBudgetMs(priority: EmbedPriority): number {
    const { retryBudgetMs = RETRY_BUDGET_MS } = this.#settings
    return priority === 'query' ? Math.min(retryBudgetMs, QUERY_RETRY_BUDGET_MS) : retryBudgetMs
  }

  /** Sends until there is an outcome other than `transient`, or the next try would come after the budget. */
  async #send(inputs: readonly string[], budgetMs: number, unwanted: () => boolean): Promise<Outcome> {
    const deadline = performance.now() + budgetMs
    for (let attempt = 0; ; attempt++) {
      const outcome = this.#check(await this.#endpoint.send(inputs, this.#abort.signal))
      this.#healthy = outcome.kind === 'vectors' || outcome.kind === 'rejected'
      if (outcome.kind !== 'transient' || unwanted() || this.#queue.closed) return outcome
      const delayMs = Math.max(outcome.retryAfterMs ?? 0, retryPauseMs(attempt, RETRY_DELAY_MS, RETRY_DELAY_MAX_MS))
      if (performance.now() + delayMs > deadline) return outcome
      await sleep(delayMs, undefined, { signal: this.#abort.signal }).catch(() => {})
    }
  }

  /** Holds every response against the dimensions that are configured, or that the first response had. */
  #check(outcome: Outcome): Outcome {
    if (outcome.kind !== 'vectors') return outcome
    const dimensions = outcome.vectors[0]?.length ?? 0
    if (this.#dimensions === 0) this.#dimensions = dimensions
    if (dimensions !== this.#dimensions) {
      const message = `answered with ${dimensions} dimensions where ${this.#dimensions} are expected`
      return { kind: 'misconfigured', message }
    }
    this.#proven = true
    this.#circuit.succeeded()
    return outcome
  }

  #unavailable(outcome: Failure): EmbedderUnavailableError {
    const { kind, message, retryAfterMs } = outcome
    return new EmbedderUnavailableError(
      `the embeddings endpoint ${message}`,
      kind === 'transient' ? { retryAfterMs } : {},
    )
  }
}

function resolveAll(
  items: readonly QueuedText[],
  inputs: readonly string[],
  { vectors, tokens }: Extract<Outcome, { kind: 'vectors' }>,
): void {
  const lengths = inputs.map(input => input.length)
  const total = tokens ?? lengths.reduce((sum, length) => sum + estimatedTokens(length), 0)
  const parts = spreadTokens(total, lengths)
  for (const [index, item] of items.entries()) {
    const vector = vectors[index]
    if (vector) item.resolve({ vector, tokens: parts[index] ?? 0 })
  }
}
