/**
 * Hybrid searches behind a filter on metadata over HTTP, against the same searches without one in the same rounds: a filter that every
 * memory passes, and one that a hundredth passes. Native Postgres only.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/filters.ts [--size 20000] [--rounds 50] [--real 3000]
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createEmbedder } from '../core/models/create-embedder.ts'
import { Bulk } from './support/bulk.ts'
import { elapsed, percentile, report } from './support/measure.ts'
import { caller, endBench, startBenchService } from './support/service.ts'
import { variedQuestion } from './support/varied-texts.ts'
import { vectorSource } from './support/vectors.ts'

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '50' },
    real: { type: 'string', default: '3000' },
  },
})
const FILTERS = {
  none: {},
  'passed by all': { filter: { kind: 'note' } },
  'passed by a hundredth': { filter: { hundredth: 1 } },
} as const
type Name = keyof typeof FILTERS
const WARM_UP = 10

const embedder = await createEmbedder({ kind: 'local', queryCacheMax: 0 })
await embedder.ready()
const vectors = await vectorSource(embedder, Number(options.real))
// Jobs would embed again what is put in with its vectors.
const service = await startBenchService('native', { WORKERS: 'none' })
const bulk = await Bulk.open(service.server.url, service.databaseUrl ?? '', vectors)
const place = await bulk.makePlace('filters')
await bulk.fill(place, 0, Number(options.size))
await bulk.embed()
await bulk.settle()

const call = caller(service.server.url, place.key)
const times: Record<Name, number[]> = { none: [], 'passed by all': [], 'passed by a hundredth': [] }
let asked = 0
for (let round = -WARM_UP; round < Number(options.rounds); round++) {
  for (const name of Object.keys(FILTERS) as Name[]) {
    const body = { query: variedQuestion(asked++), mode: 'hybrid', ...FILTERS[name] }
    const took = await elapsed(() => call('POST', '/v1/memories/search', body))
    if (round >= 0) times[name].push(took)
  }
}
for (const name of Object.keys(FILTERS) as Name[]) {
  report(
    `metadata filter ${name}, p50`,
    percentile(times[name], 0.5),
    'ms',
    name === 'passed by all' ? 'at most 60' : '',
  )
  report(`metadata filter ${name}, p95`, percentile(times[name], 0.95), 'ms')
}
report('passed by all / none', percentile(times['passed by all'], 0.5) / percentile(times.none, 0.5), '')
console.log(`${options.size} memories, ${options.rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`)

await service.server.stop()
await bulk.close()
await embedder.close()
await endBench()
