/** Returns the message of an error, and anything else that was thrown as a text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** Tells whether `work` ended within `limitMs`; fails as it fails. Work that is late goes on, and nobody hears of its outcome. */
export async function endsInTime(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, limitMs, false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
