/** Work of another plugin took longer than it may. */
export class TimeLimitExceeded extends Error {
  constructor(limitMs: number) {
    super(`it took longer than ${limitMs} ms`)
  }
}

/**
 * Gives work a time limit. Its signal is aborted when the time is over; what comes of it later is dropped.
 * @throws TimeLimitExceeded
 */
export async function withTimeLimit<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TimeLimitExceeded(limitMs)
      abort.abort(error)
      reject(error)
    }, limitMs)
  })
  // Called in a chain of its own, so that a plugin that throws at once rejects as one that does so later.
  const working = Promise.resolve().then(() => work(abort.signal))
  working.catch(() => undefined)
  try {
    return await Promise.race([working, over])
  } finally {
    clearTimeout(timer)
  }
}
