/** Gives the time to waits for clients, so that tests can put their own in its place. */
export interface Clock {
  /** Milliseconds that only grow; their zero means nothing. */
  now(): number
  /**
   * Runs `work` once after `ms` milliseconds.
   * @returns a function that cancels it
   */
  after(ms: number, work: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}
