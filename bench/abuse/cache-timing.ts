import { percentile } from '../support/measure.ts'
import { words } from './blows.ts'

/** Pairs of searches; the median of so many moves by a few hundredths. */
const PAIRS = 150

/**
 * Compares, in milliseconds, how long an attacker's searches take for texts that the victim has just searched for and for texts that nobody
 * has: a cache that both share would tell them apart.
 */
export async function timeSearches(base: string, victim: string, attacker: string) {
  const search = async (key: string, query: string) => {
    const from = performance.now()
    const response = await fetch(`${base}/v1/memories/search`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    await response.arrayBuffer()
    return performance.now() - from
  }
  const times = { searched: [] as number[], unknown: [] as number[] }
  for (let pair = 0; pair < PAIRS; pair++) {
    const texts = { searched: words(8), unknown: words(8) }
    await search(victim, texts.searched)
    const order = pair % 2 === 0 ? (['searched', 'unknown'] as const) : (['unknown', 'searched'] as const)
    for (const kind of order) times[kind].push(await search(attacker, texts[kind]))
  }
  return { searched: percentile(times.searched, 0.5), unknown: percentile(times.unknown, 0.5) }
}
