import { type Holding, held } from '../resources/holdings.ts'
import {
  EmbedderInputError,
  EmbedderUnavailableError,
  type Embedding,
  type EmbedOptions,
  type EmbedPriority,
} from './embedder.ts'

const QUEUE_TEXTS_MAX = 20_000
/** All texts together may take so much: 64 MB in memory. */
const QUEUE_CHARS_MAX = 32 * 1024 ** 2
/** A full queue drains at some hundred texts a second, so a caller may well come back soon. */
const FULL_RETRY_AFTER_MS = 2_000

/** One text of a call that waits for the model. */
export interface QueuedText {
  readonly text: string
  readonly priority: EmbedPriority
  /** The caller wants the passages of a long text. */
  readonly passages: boolean
  /** True once the call has ended, perhaps because another of its texts failed: work on this one is wasted. */
  readonly settled: boolean
  resolve(embedding: Embedding): void
  reject(error: Error): void
  /** Rejects the call because of this very text. */
  rejectInput(message: string): void
}

/** The texts, in the order in which they are taken. */
const PRIORITIES = ['query', 'document', 'background'] as const satisfies readonly EmbedPriority[]

/**
 * Queues texts for a model by priority; bounded in number. Calls take turns, text by text, so that one with few texts
 * never waits for all of one with many; a call's own texts keep their order. Each call of {@link enqueue} is one
 * promise that settles when its last text has an embedding or its first one fails.
 */
export class EmbedQueue {
  readonly #textsMax: number
  readonly #onWork: () => void
  readonly #waiting: Record<EmbedPriority, WaitingCalls> = {
    query: new WaitingCalls(),
    document: new WaitingCalls(),
    background: new WaitingCalls(),
  }
  #closed = false
  /** Counts all texts whose calls have not ended. */
  #chars = 0
  readonly holding: Holding = held({
    name: 'models.embed_queue',
    maxBytes: 2 * QUEUE_CHARS_MAX,
    bytes: () => 2 * this.#chars,
  })

  /** `onWork` is called whenever texts have been added. */
  constructor(options: { readonly textsMax?: number | undefined; readonly onWork: () => void }) {
    this.#textsMax = options.textsMax ?? QUEUE_TEXTS_MAX
    this.#onWork = options.onWork
  }

  get length(): number {
    return PRIORITIES.reduce((sum, priority) => sum + this.#waiting[priority].texts, 0)
  }

  get closed(): boolean {
    return this.#closed
  }

  async enqueue(texts: readonly string[], options: EmbedOptions = {}): Promise<Embedding[]> {
    const { priority = 'document', passages = false, signal } = options
    signal?.throwIfAborted()
    if (this.#closed) throw new EmbedderUnavailableError('the embedder is closed')
    if (texts.length === 0) return []
    if (this.length + texts.length > this.#textsMax) {
      const retryAfterMs = FULL_RETRY_AFTER_MS
      throw new EmbedderUnavailableError('the embedder has too many texts to work on', { retryAfterMs })
    }
    const chars = texts.reduce((sum, text) => sum + text.length, 0)
    if (this.#chars + chars > QUEUE_CHARS_MAX) {
      throw new EmbedderUnavailableError('the embedder has too much text to work on', {
        retryAfterMs: FULL_RETRY_AFTER_MS,
      })
    }
    this.#chars += chars
    const call = new Call(texts, priority, passages)
    const abort = () => {
      call.reject(signal?.reason)
      this.#removeSettled()
    }
    signal?.addEventListener('abort', abort, { once: true })
    try {
      this.#waiting[priority].add(call)
      this.#onWork()
      return await call.promise
    } catch (error) {
      this.#removeSettled()
      throw error
    } finally {
      this.#chars -= chars
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Takes the next texts, all of one priority, at most `count` (1 or more). Empty when none waits. */
  take(count: number, priority?: EmbedPriority): QueuedText[] {
    const first = priority ?? PRIORITIES.find(one => this.#waiting[one].texts > 0)
    return first ? this.#waiting[first].take(count) : []
  }

  /** Takes the first text of a priority whose turn could be now and that has at most so many characters. */
  takeShort(priority: EmbedPriority, charactersMax: number): QueuedText | undefined {
    return this.#waiting[priority].take(1, charactersMax)[0]
  }

  /** Rejects every call that has a text waiting. */
  rejectWaiting(error: Error): void {
    for (const priority of PRIORITIES) {
      for (const item of this.#waiting[priority].take(Number.POSITIVE_INFINITY)) item.reject(error)
    }
  }

  /** Refuses waiting and new texts. */
  close(): void {
    this.#closed = true
    this.rejectWaiting(new EmbedderUnavailableError('the embedder is closed'))
  }

  #removeSettled(): void {
    for (const priority of PRIORITIES) this.#waiting[priority].removeSettled()
  }
}

/** Lists the calls of one priority with waiting texts. The first one has the next turn. */
class WaitingCalls {
  /** In the order of their turns. */
  readonly #calls = new Set<Call>()
  /** Counts the waiting texts. */
  texts = 0

  add(call: Call): void {
    this.#calls.add(call)
    this.texts += call.waiting.length
  }

  take(count: number, charactersMax = Number.POSITIVE_INFINITY): QueuedText[] {
    const taken: QueuedText[] = []
    // A call that had its turn goes to the end, where the walk meets it again.
    for (const call of this.#calls) {
      if (taken.length >= count) break
      const next = call.waiting.at(-1)
      if (next && next.text.length > charactersMax) continue
      call.waiting.pop()
      if (next) taken.push(next)
      this.#calls.delete(call)
      if (call.waiting.length > 0) this.#calls.add(call)
    }
    this.texts -= taken.length
    return taken
  }

  removeSettled(): void {
    for (const call of this.#calls) if (call.settled && this.#calls.delete(call)) this.texts -= call.waiting.length
  }
}

/** One call of {@link EmbedQueue.enqueue}. */
class Call {
  readonly #outcome = Promise.withResolvers<Embedding[]>()
  readonly promise = this.#outcome.promise
  /** The texts that were not taken yet, the last one first. */
  readonly waiting: QueuedText[]
  readonly #embeddings: Embedding[] = []
  settled = false

  constructor(texts: readonly string[], priority: EmbedPriority, passages: boolean) {
    const isSettled = () => this.settled
    let missing = texts.length
    this.waiting = texts
      .map((text, index) => ({
        text,
        priority,
        passages,
        get settled() {
          return isSettled()
        },
        resolve: (embedding: Embedding) => {
          if (!this.#embeddings[index]) missing--
          this.#embeddings[index] = embedding
          if (missing === 0) this.#settle(() => this.#outcome.resolve(this.#embeddings))
        },
        reject: (error: Error) => this.reject(error),
        rejectInput: (message: string) => this.reject(new EmbedderInputError(message, index)),
      }))
      .reverse()
  }

  reject(error: unknown): void {
    this.#settle(() => this.#outcome.reject(error))
  }

  #settle(end: () => void): void {
    if (!this.settled) end()
    this.settled = true
  }
}
