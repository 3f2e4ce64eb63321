import { clearTimeout, setTimeout } from 'node:timers'

/** Measures time and waits; tests move their own. */
export interface Timers {
  /** Milliseconds that only grow. */
  now(): number
  /** @returns a function that cancels it */
  after(ms: number, work: () => void): () => void
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/** Counts the time in which a reader works. While what it handed over is stored, it stands still: a busy database is no fault of the file. */
export class ReadingTime {
  #leftMs: number
  #since = 0
  #cancel: (() => void) | undefined
  #isStopped = false

  constructor(
    limitMs: number,
    private readonly over: () => void,
    private readonly timers: Timers = systemTimers,
  ) {
    this.#leftMs = limitMs
  }

  run(): void {
    this.pause()
    if (this.#isStopped) return
    this.#since = this.timers.now()
    this.#cancel = this.timers.after(Math.max(0, this.#leftMs), this.over)
  }

  pause(): void {
    if (!this.#cancel) return
    this.#cancel()
    this.#cancel = undefined
    this.#leftMs -= this.timers.now() - this.#since
  }

  /** Chunks may still be on their way into the database when the reader has been ended. */
  stop(): void {
    this.pause()
    this.#isStopped = true
  }
}
