/** Gives time and chance to the runner, so that tests can set both. */
export interface JobClock {
  /** Delays begin at this time; undefined for the database's clock, the only one that all processes share. */
  now(): Date | undefined
  /** Returns a number from 0 up to 1. */
  random(): number
  /** Calls back once after `ms`; the result cancels that. */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: JobClock = {
  now: () => undefined,
  random: Math.random,
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
