import { DIMENSIONS, MODEL_IDS, ModelThread, type ThreadRequest, type ThreadResult, type Window } from 'local-embedder'
import { EmbedQueue, type QueuedText } from './embed-queue.ts'
import {
  type CommonEmbedderSettings,
  type EmbeddedPassage,
  EmbedderUnavailableError,
  type Embedding,
  type EmbedOptions,
  type EmbedPriority,
  type OpenEmbedder,
} from './embedder.ts'
import { unitVector } from './unit-vector.ts'

export interface LocalEmbedderSettings extends CommonEmbedderSettings {
  /** Module specifier of ONNX Runtime; tests name another than `onnxruntime-node`. */
  readonly onnxRuntime?: string
  /** Entry of the model's thread; tests name another than our own. */
  readonly threadScript?: URL
}

/**
 * So much of a text is read, in UTF-16 units, because the tokeniser takes 0.4 ms a kilobyte and has no limit of its
 * own. It is twice the 50,000 code points that a memory may have, so a memory is never cut.
 */
const TEXT_CHARS_MAX = 100_000

/** Makes the default embedder: all-MiniLM-L6-v2 in a thread of this process, without network. */
export async function createLocalEmbedder(settings: LocalEmbedderSettings = {}): Promise<OpenEmbedder> {
  const embedder = new LocalEmbedder(settings)
  try {
    return await embedder.identify()
  } catch (error) {
    await embedder.close()
    throw error
  }
}

/**
 * Texts up to this length mostly fit one window, and go between the windows of longer ones, which take up to half a
 * second.
 */
const SHORT_CHARACTERS = 1_000

/**
 * While documents wait, one of so many forward passes is for a text in the background: without a turn it would wait for as long as an import
 * lasts.
 */
const BACKGROUND_EVERY = 10

class LocalEmbedder implements OpenEmbedder {
  readonly dimensions = DIMENSIONS
  readonly #queue: EmbedQueue
  readonly #thread: ModelThread
  /** Texts with windows still to do; of each priority at most a long one and one that goes between its windows. */
  readonly #unfinished: Record<EmbedPriority, WindowedText[]> = { query: [], document: [], background: [] }
  /** Gives turns while a long text is unfinished: every other forward pass is for a short one, if one waits. */
  #shortNext = true
  /** Counts the forward passes since the last one for the background. */
  #passes = 0
  /** The thread works on a request of this text. */
  #current: WindowedText | undefined
  #modelId: string = MODEL_IDS.onnx

  constructor(settings: LocalEmbedderSettings) {
    this.#queue = new EmbedQueue({ textsMax: settings.queueTextsMax, onWork: () => this.#next() })
    this.#thread = new ModelThread({
      script: settings.threadScript,
      onnxRuntime: settings.onnxRuntime,
      unavailable: (message, retryAfterMs) => new EmbedderUnavailableError(message, { retryAfterMs }),
      warn: settings.warn ?? (() => {}),
      onReady: () => this.#next(),
      onResult: result => this.#receive(result),
      onLost: error => this.#rejectAll(error),
    })
  }

  get modelId(): string {
    return this.#modelId
  }

  /** Resolves once the engine, and so the model, of this platform is known. */
  async identify(): Promise<this> {
    this.#modelId = MODEL_IDS[await this.#thread.engine()]
    return this
  }

  async embed(texts: readonly string[], options?: EmbedOptions): Promise<Embedding[]> {
    const refusal = this.#thread.refusal
    if (refusal) throw refusal
    return this.#queue.enqueue(texts, options)
  }

  ready(): Promise<void> {
    return this.#thread.ready()
  }

  async close(): Promise<void> {
    this.#queue.close()
    await this.#thread.close()
    this.#rejectAll(new EmbedderUnavailableError('the embedder is closed'))
  }

  /** Starts the next forward pass, if the model is free and something waits. */
  #next(): void {
    if (!this.#thread.idle || this.#queue.closed) return
    const text = this.#nextOf('query') ?? this.#nextUnhurried()
    if (!text) return
    this.#current = text
    this.#thread.send(text.nextRequest())
  }

  #receive(result: ThreadResult): void {
    const text = this.#current
    this.#current = undefined
    text?.receive(result)
    if (text && !text.done) this.#unfinished[text.item.priority].push(text)
    this.#next()
  }

  #nextUnhurried(): WindowedText | undefined {
    const background = ++this.#passes >= BACKGROUND_EVERY ? this.#nextOf('background') : undefined
    const text = background ?? this.#nextOf('document') ?? this.#nextOf('background')
    if (text?.item.priority === 'background') this.#passes = 0
    return text
  }

  #nextOf(priority: EmbedPriority): WindowedText | undefined {
    return this.#takeBetween(priority) ?? this.#takeUnfinished(priority) ?? this.#take(priority)
  }

  /** Finds a short text that goes before the rest of a long one. */
  #takeBetween(priority: EmbedPriority): WindowedText | undefined {
    if (this.#unfinished[priority].length !== 1) return undefined
    this.#shortNext = !this.#shortNext
    const item = this.#shortNext ? undefined : this.#queue.takeShort(priority, SHORT_CHARACTERS)
    return item && new WindowedText(item)
  }

  #takeUnfinished(priority: EmbedPriority): WindowedText | undefined {
    const unfinished = this.#unfinished[priority]
    for (let text = unfinished.pop(); text; text = unfinished.pop()) if (!text.done) return text
    return undefined
  }

  #take(priority: EmbedPriority): WindowedText | undefined {
    const [item] = this.#queue.take(1, priority)
    return item && new WindowedText(item)
  }

  #rejectAll(error: Error): void {
    this.#current?.item.reject(error)
    this.#current = undefined
    for (const priority of ['query', 'document', 'background'] as const) {
      for (const text of this.#unfinished[priority].splice(0)) text.item.reject(error)
    }
    this.#queue.rejectWaiting(error)
  }
}

/**
 * Takes one text through the model. The vector of a text longer than a window is the mean of its windows' vectors, each
 * weighted by its tokens: measured on chats, that finds the right text far more often than the first window alone. The
 * windows are its passages, so no token is read twice for them.
 */
class WindowedText {
  readonly item: QueuedText
  readonly #windows: Window[] = []
  readonly #passages: EmbeddedPassage[] = []
  /** The window under way; undefined for a text of one. */
  #window: Window | undefined
  #sum: Float32Array | undefined
  #tokens = 0
  /** Those of the text, or of the first window of a longer one. */
  #ofTokens: Partial<Embedding> | undefined
  #unknown = false

  constructor(item: QueuedText) {
    this.item = item
  }

  get done(): boolean {
    return this.item.settled || this.#unknown || (this.#sum !== undefined && this.#windows.length === 0)
  }

  nextRequest(): ThreadRequest {
    this.#window = this.#windows.shift()
    if (this.#window) return { kind: 'window', ids: this.#window.ids }
    const { text, passages, priority } = this.item
    return { kind: 'text', text: text.slice(0, TEXT_CHARS_MAX), passages, asks: priority === 'query' }
  }

  receive(result: ThreadResult): void {
    if (result.kind === 'windows') this.#windows.push(...result.windows)
    else if (result.kind === 'vector') this.#add(result.vector, result.tokens, result.ofTokens)
    else if (result.kind === 'unknown') this.#giveUp()
    else if (result.kind === 'invalid') this.item.rejectInput('the tokeniser cannot read this text')
    else this.item.reject(new EmbedderUnavailableError(`the local model failed: ${result.message}`))
  }

  #giveUp(): void {
    this.#unknown = true
    this.item.resolve({ vector: null, tokens: 0 })
  }

  #add(vector: Float32Array, tokens: number, ofTokens: Partial<Embedding>): void {
    this.#ofTokens ??= ofTokens
    const sum = this.#sum ?? new Float32Array(vector.length)
    if (this.#window?.ofWhole !== false) {
      for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + value * tokens
    }
    this.#sum = sum
    this.#tokens += tokens
    if (this.item.passages) this.#addPassage(vector)
    if (this.#windows.length > 0) return
    const unit = unitVector(sum)
    const passages = this.#passages.length > 1 ? { passages: this.#passages } : {}
    if (unit) this.item.resolve({ vector: unit, tokens: this.#tokens, ...passages, ...this.#ofTokens })
    else this.item.reject(new EmbedderUnavailableError('the local model gave a vector without direction'))
  }

  #addPassage(vector: Float32Array): void {
    const unit = unitVector(vector)
    if (unit && this.#window) this.#passages.push({ start: this.#window.start, end: this.#window.end, vector: unit })
  }
}
