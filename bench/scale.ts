/**
 * Search as a workspace grows: latency by mode against plain SQL for the candidates and the bare embedding of the query in the
 * same rounds, what the ranker adds, and how many of the 20 nearest the engine proposes behind each filter. The memories are
 * varied texts with the local model's vectors; those beyond the first 30,000 carry noise. Native Postgres only.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/scale.ts [--sizes 1000,10000,100000] [--spread 200x500] [--rounds 100]
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createEmbedder } from '../core/models/create-embedder.ts'
import { Bulk } from './support/bulk.ts'
import { percentile } from './support/measure.ts'
import type { Place } from './support/places.ts'
import { RECALL_FILTERS, recallOf } from './support/recall.ts'
import { type Latencies, MODES, measureLatencies } from './support/search-latency.ts'
import { endBench, startBenchService } from './support/service.ts'
import { vectorSource } from './support/vectors.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    spread: { type: 'string', default: '200x500' },
    rounds: { type: 'string', default: '100' },
    real: { type: 'string', default: '30000' },
    questions: { type: 'string', default: '50' },
  },
})
const rounds = Number(options.rounds)
const sizes = options.sizes.split(',').filter(Boolean).map(Number)
const [spreadPlaces = 0, spreadSize = 0] = options.spread.split('x').map(Number)

const embedder = await createEmbedder({ kind: 'local', queryCacheMax: 0 })
await embedder.ready()
const vectors = await vectorSource(embedder, Number(options.real))
// Jobs would embed again what is put in with its vectors.
const service = await startBenchService('native', { WORKERS: 'none' })
const databaseUrl = service.databaseUrl ?? ''
const bulk = await Bulk.open(service.server.url, databaseUrl, vectors)

const filled: { name: string; places: Place[] }[] = []
for (const size of sizes) filled.push({ name: `${size}`, places: [await placeOf(size)] })
if (spreadPlaces > 0) {
  const places: Place[] = []
  for (let n = 0; n < spreadPlaces; n++) places.push(await placeOf(spreadSize))
  filled.push({ name: options.spread, places })
}
await service.server.stop()
await bulk.embed()
await bulk.settle()
// The service looks for graphs over vectors when it starts, and so does not have to be waited for.
const server = await service.restart()

const subject = { base: server.url, databaseUrl, bulk, embedder }
const hybrid = new Map<string, number>()
console.log(`\nmilliseconds, p50 (p95) of ${rounds} rounds`)
for (const { name, places } of filled) {
  const latencies = await measureLatencies({ ...subject, places }, rounds)
  hybrid.set(name, percentile(latencies.hybrid, 0.5))
  showLatencies(name, latencies)
}
const [small, large] = [hybrid.get('10000'), hybrid.get('100000')]
if (small && large) console.log(`growth of hybrid from 10,000 to 100,000: ${(large / small).toFixed(2)} (at most 3)`)

console.log('\nrecall of the 20 nearest, least of a single question')
for (const { name, places } of filled) await showRecall(name, places[0])

await server.stop()
await bulk.close()
await embedder.close()
await endBench()

async function placeOf(size: number): Promise<Place> {
  const place = await bulk.makePlace(`${size}`)
  await bulk.fill(place, 0, size)
  return place
}

function showLatencies(name: string, latencies: Latencies): void {
  const both = (samples: readonly number[]) =>
    `${percentile(samples, 0.5).toFixed(1)} (${percentile(samples, 0.95).toFixed(1)})`
  const needed = (['embedding', 'rawWords', 'rawMeaning'] as const).map(part => percentile(latencies[part], 0.5))
  const ratio = percentile(latencies.hybrid, 0.5) / needed.reduce((sum, part) => sum + part, 0)
  const cells = [
    ...MODES.map(mode => `${mode} ${both(latencies[mode])}`),
    `embedding ${both(latencies.embedding)}`,
    `raw words ${both(latencies.rawWords)}`,
    `raw meaning ${both(latencies.rawMeaning)}`,
    `ranker ${percentile(latencies.ranker, 0.5).toFixed(2)}`,
    `hybrid / (raw + embedding) ${ratio.toFixed(2)}`,
    `load ${loadavg()[0]?.toFixed(1)}`,
  ]
  console.log(`${name.padEnd(8)} ${cells.join(' | ')}`)
}

async function showRecall(name: string, place: Place | undefined): Promise<void> {
  if (!place) return
  const cells: string[] = []
  for (const filter of RECALL_FILTERS) {
    const { recall, least } = await recallOf(bulk, embedder, place, filter, Number(options.questions))
    cells.push(`${filter.name} ${recall.toFixed(3)} (${least.toFixed(2)})`)
  }
  console.log(`${name.padEnd(8)} ${cells.join(' | ')}`)
}
