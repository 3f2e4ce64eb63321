/** Work of another plugin exceeded its time limit. */
export class TimeLimitExceeded extends Error {
  constructor(limitMs: number) {
    super(`it took longer than ${limitMs} ms`)
  }
}

/** Runs work with a time limit. The signal is aborted when the limit passes, and a later result is ignored. @throws TimeLimitExceeded */
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
  // The call is made inside a promise chain, so that a synchronous throw becomes a rejection too.
  const working = Promise.resolve().then(() => work(abort.signal))
  working.catch(() => undefined)
  try {
    return await Promise.race([working, over])
  } finally {
    clearTimeout(timer)
  }
}
