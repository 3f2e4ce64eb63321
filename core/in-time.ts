/**
 * Waits for `work`, at most `limitMs`. Work that is late goes on, and nobody hears of its outcome.
 * @param late says what its caller gets, or throws, when the limit is reached
 */
export async function inTime<T, L>(work: Promise<T>, limitMs: number, late: () => L): Promise<T | L> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  try {
    return await Promise.race([work, over.then(late)])
  } finally {
    clearTimeout(timer)
  }
}

/** Tells whether `work` ended within `limitMs`; fails as it fails. */
export function endsInTime(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  return inTime(
    work.then(() => true),
    limitMs,
    () => false,
  )
}
