import type { OutgoingError } from './outgoing-error.ts'

/** Joins all that can end a piece of work into one signal: its time, and the work that it is part of. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Call it once the work is done: it stops the clock and detaches from the outer signals. */
  end(): void
}

/**
 * @param expired makes the reason of the signal when the time is over
 * @param outer signals that end the work too, with their own reason. They may live much longer: nothing of the work stays with them,
 *   as it would with `AbortSignal.any`
 */
export function startDeadline(
  timeoutMs: number,
  expired: () => OutgoingError,
  outer: readonly AbortSignal[],
): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(expired()), timeoutMs)
  const listeners = outer.map(signal => ({ signal, abort: () => controller.abort(signal.reason) }))
  for (const { signal, abort } of listeners) {
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  }
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      for (const { signal, abort } of listeners) signal.removeEventListener('abort', abort)
    },
  }
}
