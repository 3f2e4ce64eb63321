import { inTime } from '../in-time.ts'
import type { Logger } from '../log.ts'

export interface TimeLimit {
  /** After so long the wait is reported, and again after as long each time. */
  readonly noticeMs: number
  /** After so long the wait ends. */
  readonly limitMs: number
}

/** The work did not end in time; it may still be going on. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/**
 * Waits for work of a plugin, reports while it takes long, and gives up after a limit. A failure after that is dropped.
 * @param what the beginning of the sentence, e.g. `plugin weather: setup`
 * @throws TimeLimitError when the limit is reached
 */
export async function withinLimit<T>(what: string, work: Promise<T>, limit: TimeLimit, log: Logger): Promise<T> {
  const { noticeMs, limitMs } = limit
  const begunAt = performance.now()
  const notice = setInterval(() => {
    const seconds = Math.round((performance.now() - begunAt) / 1000)
    log.warn(`${what} has taken ${seconds} s; it is given up after ${secondsOf(limitMs)} s`)
  }, noticeMs)
  try {
    return await inTime(work, limitMs, () => {
      throw new TimeLimitError(`${what} did not end within ${secondsOf(limitMs)} s`)
    })
  } finally {
    clearInterval(notice)
  }
}

/** A limit that is the rest of another one has many digits. */
function secondsOf(ms: number): number {
  return Number((ms / 1000).toPrecision(3))
}
