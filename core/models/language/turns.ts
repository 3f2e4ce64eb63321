import { type Holding, held } from '../../resources/holdings.ts'
import { LanguageModelUnavailableError } from './language-errors.ts'
import type { LanguagePriority } from './language-model.ts'

export interface TurnsOptions {
  /** So many background calls run at once; one more is kept free for interactive ones. */
  readonly concurrency: number
  /** So many calls may wait. */
  readonly waitingMax: number
  /** The prompts of those that wait may have so many UTF-16 units together. */
  readonly waitingCharsMax: number
}

/** A call as the queue sees it. */
export interface Turn {
  readonly priority: LanguagePriority
  /** The length of its prompt in UTF-16 units. */
  readonly chars: number
  /** Takes the call out of the queue; work that runs has to heed it by itself. */
  readonly signal: AbortSignal
}

interface Waiting {
  readonly take: () => void
  readonly reject: (error: unknown) => void
}

/** A refused caller should stay away for so long, since calls take seconds. */
const FULL_RETRY_AFTER_MS = 5_000

/** Bounds concurrent calls, and lets interactive ones go first. */
export class Turns {
  readonly #options: TurnsOptions
  readonly #waiting: Record<LanguagePriority, Set<Waiting>> = { interactive: new Set(), background: new Set() }
  #running = 0
  #closed = false
  /** Counts the prompts that wait. */
  #chars = 0
  readonly holding: Holding

  constructor(options: TurnsOptions) {
    this.#options = options
    this.holding = held({
      name: 'models.language_queue',
      maxBytes: 2 * options.waitingCharsMax,
      bytes: () => 2 * this.#chars,
    })
  }

  /**
   * Runs `work` when its turn comes.
   * @throws LanguageModelUnavailableError when too many wait, or too long ones, or after `close`
   */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    turn.signal.throwIfAborted()
    if (this.#closed) throw closed()
    await this.#take(turn)
    try {
      return await work()
    } finally {
      this.#running -= 1
      this.#next()
    }
  }

  close(): void {
    this.#closed = true
    for (const queue of [this.#waiting.interactive, this.#waiting.background]) {
      for (const waiting of queue) waiting.reject(closed())
      queue.clear()
    }
  }

  #limit(priority: LanguagePriority): number {
    return this.#options.concurrency + (priority === 'interactive' ? 1 : 0)
  }

  async #take({ priority, chars, signal }: Turn): Promise<void> {
    if (this.#running < this.#limit(priority)) {
      this.#running += 1
      return
    }
    const queue = this.#waiting[priority]
    const { waitingMax, waitingCharsMax } = this.#options
    const count = this.#waiting.interactive.size + this.#waiting.background.size
    if (count >= waitingMax || this.#chars + chars > waitingCharsMax) {
      const retryAfterMs = FULL_RETRY_AFTER_MS
      throw new LanguageModelUnavailableError('too many calls wait for the language model', { retryAfterMs })
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { take: resolve, reject }
    const leave = () => {
      queue.delete(waiting)
      reject(signal.reason)
    }
    queue.add(waiting)
    this.#chars += chars
    signal.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
      this.#chars -= chars
      signal.removeEventListener('abort', leave)
    }
  }

  #next(): void {
    for (const priority of ['interactive', 'background'] as const) {
      const [first] = this.#waiting[priority]
      if (!first || this.#running >= this.#limit(priority)) continue
      this.#waiting[priority].delete(first)
      this.#running += 1
      first.take()
      return
    }
  }
}

function closed(): LanguageModelUnavailableError {
  return new LanguageModelUnavailableError('the language model is closed')
}
