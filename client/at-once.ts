/** So many are under way at once: the service works on others' as well. */
const AT_ONCE = 3

/**
 * Does work for each item, a few at once.
 * @throws what the work throws; nothing else is begun then, and what is under way is ended first
 */
export async function forEachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const next = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  const stop = (error: unknown) => {
    waiting.length = 0
    throw error
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => next().catch(stop)))
  const broken = ends.find(end => end.status === 'rejected')
  if (broken) throw broken.reason
}
