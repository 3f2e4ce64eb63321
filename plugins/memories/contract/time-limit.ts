/** Work of another plugin exceeded its time limit. */
export class TimeLimitExceeded extends Error {
  constructor(limitMs: number) {
    super(`it took longer than ${Math.round(limitMs)} ms`)
  }
}

/**
 * Runs work with a time limit. The signal is aborted when the limit passes, and a later result is ignored. Work that is done at once
 * needs no timer, so a plugin that only looks costs next to nothing.
 * @throws TimeLimitExceeded
 */
export async function withTimeLimit<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T> | T): Promise<T> {
  const abort = new AbortController()
  const working = work(abort.signal)
  if (!isThenable(working)) return working
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TimeLimitExceeded(limitMs)
      abort.abort(error)
      reject(error)
    }, limitMs)
  })
  try {
    return await Promise.race([working, over])
  } finally {
    clearTimeout(timer)
  }
}

/** A plugin may return the promise of a library, which need not be the runtime's own. */
function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value
}
