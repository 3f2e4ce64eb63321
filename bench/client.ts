/**
 * The TypeScript client: `client.search` beside a bare `fetch` of the same query, in turns, so that other load on the machine meets them
 * alike.
 *
 *   bun bench/client.ts                              on the embedded database
 *   BENCH_DATABASE_URL=postgres://… bun bench/client.ts
 */
import { Mneme } from '@mneme/client'
import { elapsed, freshText, percentile, report } from './support/measure.ts'
import { BENCH_KEY, endBench, fill, nativeServer, settled, startBenchService } from './support/service.ts'

const MEMORIES = 1000
const ROUNDS = 400
const WARM_UP = 40

const kind = nativeServer() ? 'native' : 'embedded'
const service = await startBenchService(kind)
const texts = Array.from({ length: MEMORIES }, (_, n) => freshText(n))
await fill(service, texts)
await settled(service.server.url)
const client = new Mneme({ url: service.server.url, key: BENCH_KEY })
const ways = {
  client: (query: string) => client.search(query, { limit: 10 }).then(({ data }) => data.length),
  fetch: async (query: string) => {
    const response = await fetch(`${service.server.url}/v1/memories/search`, {
      method: 'POST',
      headers: { 'X-Api-Key': BENCH_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, limit: 10 }),
    })
    return JSON.parse(await response.text()).data.length
  },
}
const samples: Record<keyof typeof ways, number[]> = { client: [], fetch: [] }
for (let n = -WARM_UP; n < ROUNDS; n++) {
  // Whoever comes second finds the query's embedding in a cache, so both find it there.
  const query = `What did Ada say about note ${n % 50}?`
  await service.call('POST', '/v1/memories/search', { query, limit: 10 })
  for (const way of n % 2 === 0 ? (['client', 'fetch'] as const) : (['fetch', 'client'] as const)) {
    const took = await elapsed(() => ways[way](query))
    if (n >= 0) samples[way].push(took)
  }
}
const [own, bare] = [percentile(samples.client, 0.5), percentile(samples.fetch, 0.5)]
report(`${kind}: client.search, p50`, own, 'ms')
report(`${kind}: bare fetch, p50`, bare, 'ms')
report(`${kind}: client.search by bare fetch`, own / bare, '', 'at most 1.1')
await service.server.stop()
await endBench()
