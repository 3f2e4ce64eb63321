/**
 * Polls until `condition` gives a value other than undefined or false; fails with `what` when it takes too long: nothing should, but a
 * slow machine that is busy with what other tests left to be done needs many times what a quick one does.
 */
export async function until<T>(
  what: string,
  condition: () => Promise<T | undefined | false>,
  timeoutMs = 90_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const value = await condition()
    if (value !== undefined && value !== false) return value
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 15))
  }
}
