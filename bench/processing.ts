/**
 * Measures how soon a memory can be found by meaning, and how many a second the service gets through, against the bare embedder on the
 * same texts.
 *
 *   bun bench/processing.ts                          on the embedded database
 *   BENCH_DATABASE_URL=postgres://… bun bench/processing.ts
 */
import { createEmbedder } from '../core/models/create-embedder.ts'
import { completions } from './support/completion.ts'
import { freshText, percentile, report } from './support/measure.ts'
import { type BenchService, endBench, nativeServer, processed, startBenchService } from './support/service.ts'

const SINGLES = 100
const BULK = 1500

for (const kind of nativeServer() ? (['native', 'embedded'] as const) : (['embedded'] as const)) {
  const service = await startBenchService(kind)
  await completions(service.call, 1)
  const times = await completions(service.call, SINGLES)
  report(`${kind}: 201 to COMPLETED, p50`, percentile(times, 0.5), 'ms', 'at most 150')
  report(`${kind}: 201 to COMPLETED, p95`, percentile(times, 0.95), 'ms')
  const texts = Array.from({ length: BULK }, (_, n) => freshText(n))
  const rate = await sustained(service, texts)
  await service.server.stop()
  const bare = await bareRate(texts)
  report(`${kind}: ${BULK} memories in batches, stored and processed`, rate, '/s')
  report('bare embedder on the same texts', bare, '/s')
  report(`${kind}: product / bare embedder`, rate / bare, '', 'at least 0.6')
}
await endBench()

async function sustained(service: BenchService, texts: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  for (let from = 0; from < texts.length; from += 100) {
    const memories = texts.slice(from, from + 100).map(memory => ({ memory }))
    await service.call('POST', '/v1/memories/batch', { memories })
  }
  await processed(service)
  return (texts.length * 1000) / (performance.now() - startedAt)
}

async function bareRate(texts: readonly string[]): Promise<number> {
  const embedder = await createEmbedder({ kind: 'local' })
  await embedder.embed(['warm up'])
  const startedAt = performance.now()
  for (let from = 0; from < texts.length; from += 100) await embedder.embed(texts.slice(from, from + 100))
  const rate = (texts.length * 1000) / (performance.now() - startedAt)
  await embedder.close()
  return rate
}
