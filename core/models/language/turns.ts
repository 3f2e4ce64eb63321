import { LanguageModelUnavailableError } from './language-errors.ts'
import type { LanguagePriority } from './language-model.ts'

export interface TurnsOptions {
  /** So many background calls run at once; one more is kept free for interactive ones. */
  readonly concurrency: number
  /** So many calls may wait. */
  readonly waitingMax: number
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

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  /**
   * Runs `work` when its turn comes. The signal takes it out of the queue; work that runs has to heed it by itself.
   * @throws LanguageModelUnavailableError when too many wait, or after `close`
   */
  async run<T>(priority: LanguagePriority, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    if (this.#closed) throw closed()
    await this.#turn(priority, signal)
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

  async #turn(priority: LanguagePriority, signal: AbortSignal): Promise<void> {
    if (this.#running < this.#limit(priority)) {
      this.#running += 1
      return
    }
    const queue = this.#waiting[priority]
    if (this.#waiting.interactive.size + this.#waiting.background.size >= this.#options.waitingMax) {
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
    signal.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
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
