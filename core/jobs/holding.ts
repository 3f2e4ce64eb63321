import type { JobClock } from './task.ts'

export interface HoldingOptions {
  /**
   * Extends the lease; false when it was lost. It may fail while the database is away, which is no reason to stop yet.
   */
  renew(): Promise<boolean>
  readonly everyMs: number
  readonly signal: AbortSignal
  readonly clock: JobClock
}

/** Another process took the lease on the item being worked on; it is the reason of the aborted signal. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/** Renews a lease as long as `work` goes on, whose signal is aborted with the given one, or when the lease is lost. */
export async function holding<T>(
  { renew, everyMs, signal, clock }: HoldingOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  let ended = false
  let cancel: () => void = () => undefined
  const again = () => {
    cancel = clock.after(everyMs, () => {
      renew()
        // Should the database stay away, the next statement of the work says so.
        .catch(() => true)
        .then(held => {
          if (!held) lost.abort(new LeaseLostError('another process took over'))
          if (!ended && held) again()
        })
    })
  }
  again()
  try {
    return await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    ended = true
    cancel()
  }
}
