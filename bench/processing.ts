/**
 * Measures how soon a memory can be found by meaning, and how many a second the service gets through, against the bare embedder on the
 * same texts: short ones, and ones of 2,000 characters.
 *
 *   bun bench/processing.ts                          on the embedded database
 *   BENCH_DATABASE_URL=postgres://… bun bench/processing.ts
 */
import { createEmbedder } from '../core/models/create-embedder.ts'
import { completions } from './support/completion.ts'
import { embedAlone, indexingRate } from './support/indexing.ts'
import { freshText, percentile, report } from './support/measure.ts'
import { proseText } from './support/prose-texts.ts'
import { type BenchService, endBench, nativeServer, startBenchService } from './support/service.ts'

const SINGLES = 100
const TEXTS = {
  memories: Array.from({ length: 1500 }, (_, n) => freshText(n)),
  'memories of 2,000 characters': Array.from({ length: 200 }, (_, n) => proseText(n, 2000)),
}

const embedder = await createEmbedder({ kind: 'local' })
for (const kind of nativeServer() ? (['native', 'embedded'] as const) : (['embedded'] as const)) {
  const service = await startBenchService(kind)
  await completions(service.call, 1)
  const times = await completions(service.call, SINGLES)
  report(`${kind}: 201 to COMPLETED, p50`, percentile(times, 0.5), 'ms', 'at most 150')
  report(`${kind}: 201 to COMPLETED, p95`, percentile(times, 0.95), 'ms')
  await service.server.stop()
  for (const [name, texts] of Object.entries(TEXTS)) await compare(await startBenchService(kind), kind, name, texts)
}
await embedder.close()
await endBench()

async function compare(service: BenchService, kind: string, name: string, texts: readonly string[]): Promise<void> {
  await completions(service.call, 1)
  const rate = await indexingRate(service, texts)
  await service.server.stop()
  const bare = await embedAlone(embedder, texts)
  report(`${kind}: ${texts.length} ${name} in batches, stored and processed`, rate, '/s')
  report('bare embedder on the same texts', bare.rate, '/s')
  report(`${kind}: product / bare embedder`, rate / bare.rate, '', 'at least 0.6')
}
