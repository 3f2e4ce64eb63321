/**
 * Compares Typesense with Postgres as search engines over the same memories, in alternating rounds, each search with its own transaction and
 * ranking but without HTTP and embedding: latency by kind of search, how often the first ten are the same, and how many of Postgres' ten
 * Typesense has. It makes a database of its own, and collections `mneme_bench_…` that it drops at the end.
 *
 *   TYPESENSE_URL=http://127.0.0.1:8108 TYPESENSE_API_KEY=… BENCH_DATABASE_URL=postgres://… bun bench/engines.ts [--size 20000] [--rounds 100]
 *
 * TYPESENSE_URL=fake takes the tests' fake, which shows that the comparison works and nothing about speed.
 */

import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createLog } from '../core/log.ts'
import { createEmbedder } from '../core/models/create-embedder.ts'
import { openTypesenseEngine, type TypesenseEngine } from '../plugins/search/engine/typesense/index.ts'
import { isCollectionOf, vectorsOf } from '../plugins/search/engine/typesense/schema.ts'
import { openIndex } from './retrieval/typesense.ts'
import { Bulk } from './support/bulk.ts'
import { compareEngines, showComparison } from './support/engine-comparison.ts'
import { endBench, requireNativeServer, startBenchService } from './support/service.ts'
import { vectorSource } from './support/vectors.ts'

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '100' },
    real: { type: 'string', default: '3000' },
  },
})
const where = process.env.TYPESENSE_URL ?? ''
if (where === '') {
  console.error('TYPESENSE_URL is not set, so there is no Typesense to compare with Postgres.')
  process.exit(2)
}
requireNativeServer()

const { settings, description } = await openIndex(where)
const embedder = await createEmbedder({ kind: 'local', queryCacheMax: 0 })
await embedder.ready()
const vectors = await vectorSource(embedder, Number(options.real))
// Jobs would embed again what is put in with its vectors.
const service = await startBenchService('native', { WORKERS: 'none' })
const bulk = await Bulk.open(service.server.url, service.databaseUrl ?? '', vectors)
const place = await bulk.makePlace('engines')
await bulk.fill(place, 0, Number(options.size))
// A process without TYPESENSE_URL would mark the index as stale. None is left then, so nobody is waited for.
await service.server.stop()
await bulk.embed()
await bulk.settle()

const typesense = await openTypesenseEngine({
  database: bulk.database,
  postgres: bulk.engine,
  urls: (settings.TYPESENSE_URL ?? '').split(','),
  apiKey: settings.TYPESENSE_API_KEY ?? '',
  log: createLog('warn'),
  alias: `mneme_bench_${randomUUID().slice(0, 8)}`,
  quietMs: 0,
})
try {
  await fillIndex(typesense)
  const engines = { postgres: bulk.engine, typesense }
  const compared = await compareEngines({ bulk, place, embedder, engines, rounds: Number(options.rounds) })
  console.log(`\n${options.size} memories, ${description}, load ${loadavg()[0]?.toFixed(1)}`)
  showComparison(compared)
  console.log(`searches that fell back to Postgres: ${typesense.proposals.fallbacks} (target 0)`)
} finally {
  await dropIndex(typesense)
  await bulk.close()
  await embedder.close()
  await endBench()
}
process.exit(0)

/** Sends everything; the index is complete when searches use it. */
async function fillIndex({ upkeep }: TypesenseEngine): Promise<void> {
  const deadline = Date.now() + 1_800_000
  const begunAt = performance.now()
  while (!upkeep.serving || upkeep.building || upkeep.size.rows > 0) {
    await upkeep.run()
    if (upkeep.problem) throw new Error(upkeep.problem)
    if (Date.now() > deadline) throw new Error(`the index is not filled after half an hour: ${upkeep.failure ?? ''}`)
    if (upkeep.away) await pause(200)
  }
  console.log(`filled the index in ${((performance.now() - begunAt) / 1000).toFixed(1)} s`)
}

async function dropIndex({ server, alias }: TypesenseEngine): Promise<void> {
  for (const { name } of await server.collections()) if (isCollectionOf(alias, name)) await server.dropCollection(name)
  for (const name of [alias, vectorsOf(alias)]) await server.dropAlias(name)
}
