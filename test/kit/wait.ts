/** The longest time between two looks, in milliseconds. */
const PAUSE_MAX_MS = 100

/**
 * Polls until `condition` gives a value other than undefined or false; fails with `what` when it takes too long: nothing should, but a
 * slow machine that is busy with what other tests left to be done needs many times what a quick one does. The longer it waits, the less
 * often it looks, since a look takes time from what is waited for.
 */
export async function until<T>(
  what: string,
  condition: () => Promise<T | undefined | false>,
  timeoutMs = 90_000,
): Promise<T> {
  const began = Date.now()
  for (;;) {
    const value = await condition()
    if (value !== undefined && value !== false) return value
    const waitedMs = Date.now() - began
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`)
    await new Promise(resolve => setTimeout(resolve, Math.min(Math.max(15, waitedMs / 10), PAUSE_MAX_MS)))
  }
}
