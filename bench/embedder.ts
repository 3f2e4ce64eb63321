/**
 * Speed of the local embedder. `bun bench/embedder.ts`, `deno run -A bench/embedder.ts`.
 * Prints the time from construction to the first vector, milliseconds for one short query, texts a second in bulk, the
 * longest text a memory may have, the wait of a query behind queued documents, and the memory of the whole process.
 */
import { memoryUsage } from 'node:process'
import { createEmbedder } from '../core/models/create-embedder.ts'

const BULK_TEXTS = 500
const QUERIES = 100

const documents = Array.from({ length: BULK_TEXTS }, (_, i) => documentText(i))
const started = performance.now()
const embedder = await createEmbedder({ kind: 'local', queryCacheMax: 0, warn: message => console.warn(message) })
await embedder.embed(['hello'], { priority: 'query' })
report('construct to first vector', performance.now() - started, 'ms')

const queryTimes: number[] = []
for (let i = 0; i < QUERIES; i++) queryTimes.push(await timeQuery(i))
report('one short query, p50', percentile(queryTimes, 0.5), 'ms')
report('one short query, p95', percentile(queryTimes, 0.95), 'ms')

const bulkMs = await timed(() => embedder.embed(documents))
report(`documents of ${documents[0]?.length} characters`, (BULK_TEXTS * 1000) / bulkMs, 'texts/s')

const longText = documents.join(' ').padEnd(50_000, 'and so on. ').slice(0, 50_000)
report('one document of 50,000 characters', await timed(() => embedder.embed([longText])), 'ms')

const queued = embedder.embed(documents)
const queuedTimes: number[] = []
for (let i = 0; i < 20; i++) queuedTimes.push(await timeQuery(QUERIES + i))
report('one short query behind queued documents, p50', percentile(queuedTimes, 0.5), 'ms')
await queued

report('memory of the process (RSS)', memoryUsage().rss / 1e6, 'MB')
await embedder.close()

function documentText(i: number): string {
  const text = `Note ${i}: user ${i} prefers TypeScript over Python for backend services, has worked at Acme Corp in Berlin since ${2000 + (i % 25)}, and wants to move the whole platform to another provider before next summer begins.`
  return text.slice(0, 200)
}

function timeQuery(i: number): Promise<number> {
  return timed(() => embedder.embed([`Which language does user ${i} prefer?`], { priority: 'query' }))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * sorted.length)] ?? 0
}

function report(what: string, value: number, unit: string): void {
  console.log(`${what.padEnd(48)} ${value.toFixed(1).padStart(8)} ${unit}`)
}
