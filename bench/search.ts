/**
 * Hybrid search over 10,000 memories of one workspace: while the graph reads what was just stored, and once it has. The latter against what
 * it cannot do without: the bare embedding of the same query and plain SQL for the candidates, the best 100 by words and the best 100
 * by meaning, on the product's own tables. Product and baselines take turns, question by question, so that other load on the machine
 * meets them alike.
 *
 *   bun bench/search.ts                              on the embedded database
 *   BENCH_DATABASE_URL=postgres://… bun bench/search.ts
 */
import postgres from 'postgres'
import { createEmbedder } from '../core/models/create-embedder.ts'
import type { Embedder } from '../core/models/embedder.ts'
import { elapsed, freshText, oneByOne, percentile, report } from './support/measure.ts'
import { rawSearch } from './support/raw-search.ts'
import {
  type BenchService,
  endBench,
  fill,
  jobsEnded,
  nativeServer,
  settled,
  startBenchService,
} from './support/service.ts'

const MEMORIES = Number(process.env.BENCH_MEMORIES ?? 10_000)
const ROUNDS = 200
const WARM_UP = 20
const MODES = ['hybrid', 'semantic', 'keyword'] as const
const MEASURED = [...MODES, 'embedding', 'words', 'meaning'] as const
type Samples = Record<(typeof MEASURED)[number], number[]>

const embedder = await createEmbedder({ kind: 'local', queryCacheMax: 0 })
await embedder.ready()
for (const kind of nativeServer() ? (['native', 'embedded'] as const) : (['embedded'] as const)) {
  const service = await startBenchService(kind)
  await fill(
    service,
    Array.from({ length: MEMORIES }, (_, n) => freshText(n)),
  )
  const reading = await whileReading(service)
  const raw = service.databaseUrl ? await rawBaseline(service.databaseUrl) : undefined
  const samples = await measure(service, embedder, raw)
  showReading(kind, reading)
  show(kind, samples, raw !== undefined)
  await raw?.close()
  await service.server.stop()
}
await embedder.close()
await endBench()

interface Reading {
  /** The searches are hybrid ones, one after the other. */
  readonly times: readonly number[]
  /** Tells whether it had not read everything when the last of them ended. */
  readonly wasReading: boolean
}

/** Searches right after everything was stored, and waits until the graph has read it. */
async function whileReading({ call, server }: BenchService): Promise<Reading> {
  const times = await oneByOne(ROUNDS, n =>
    call('POST', '/v1/memories/search', { query: question(n + 50_000), mode: 'hybrid' }),
  )
  const ended = await jobsEnded(server.url, 'graph:extract')
  await settled(server.url)
  return { times: times.slice(WARM_UP), wasReading: (await jobsEnded(server.url, 'graph:extract')) > ended }
}

function showReading(kind: 'native' | 'embedded', { times, wasReading }: Reading): void {
  const state = wasReading ? 'while the graph reads' : 'as the graph ends reading'
  report(`${kind}: hybrid ${state}, p50`, percentile(times, 0.5), 'ms', `at most ${kind === 'native' ? 25 : 50}`)
  report(`${kind}: hybrid ${state}, p95`, percentile(times, 0.95), 'ms')
}

async function measure({ call }: BenchService, embedder: Embedder, raw: Baseline | undefined): Promise<Samples> {
  const samples: Samples = { hybrid: [], semantic: [], keyword: [], embedding: [], words: [], meaning: [] }
  for (let n = -WARM_UP; n < ROUNDS; n++) {
    const took: Partial<Record<keyof Samples, number>> = {}
    for (const [m, mode] of MODES.entries()) {
      // A question of its own for each mode, so that no cache of embeddings answers it.
      const query = question(n + (m + 1) * 10_000)
      took[mode] = await elapsed(() => call('POST', '/v1/memories/search', { query, mode }))
    }
    const query = question(n + 10_000)
    let vector: Float32Array | undefined
    took.embedding = await elapsed(async () => {
      const [embedding] = await embedder.embed([query], { priority: 'query' })
      vector = embedding?.vector ?? undefined
    })
    if (raw && vector) {
      const values = vector
      took.words = await elapsed(() => raw.words(query))
      took.meaning = await elapsed(() => raw.meaning(values))
    }
    if (n < 0) continue
    for (const name of MEASURED) samples[name].push(took[name] ?? Number.NaN)
  }
  return samples
}

interface Baseline {
  words(query: string): Promise<unknown>
  meaning(vector: Float32Array): Promise<unknown>
  close(): Promise<void>
}

/** Plain SQL on the one workspace that was filled. */
async function rawBaseline(url: string): Promise<Baseline> {
  const sql = postgres(url, { max: 1 })
  const [row] = await sql<{ workspace_id: string }[]>`select workspace_id from search.document limit 1`
  await sql.end()
  const workspaceId = row?.workspace_id ?? ''
  const { words, meaning, close } = await rawSearch(url)
  return { words: query => words(workspaceId, query), meaning: vector => meaning(workspaceId, vector), close }
}

function show(kind: 'native' | 'embedded', samples: Samples, withRaw: boolean): void {
  const p50 = (name: keyof Samples) => percentile(samples[name], 0.5)
  for (const mode of MODES) {
    const target = mode === 'hybrid' ? `at most ${kind === 'native' ? 25 : 50}` : ''
    report(`${kind}: ${mode} over ${MEMORIES}, p50`, p50(mode), 'ms', target)
    report(`${kind}: ${mode} over ${MEMORIES}, p95`, percentile(samples[mode], 0.95), 'ms')
  }
  report('bare embedding of the query, p50', p50('embedding'), 'ms')
  if (!withRaw) return
  report('raw SQL: best 100 by words, p50', p50('words'), 'ms')
  report('raw SQL: best 100 by meaning, p50', p50('meaning'), 'ms')
  report(
    'hybrid / (raw SQL + embedding)',
    p50('hybrid') / (p50('words') + p50('meaning') + p50('embedding')),
    '',
    'at most 2',
  )
}

function question(n: number): string {
  const topics = ['budget', 'Lisbon', 'TypeScript', 'bicycle', 'garden']
  return `what did Ada say about ${topics[Math.abs(n) % topics.length]} in note ${n}?`
}
