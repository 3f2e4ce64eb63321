/**
 * Hybrid search over 10,000 memories of one workspace, against the sum of the bare embedding of the query and the raw SQL that
 * a hybrid search cannot do without: the exact vector scan, the full-text match, and reading ten rows, each in the product's
 * transaction and on the product's own tables.
 *
 *   bun bench/search.ts                              on the embedded database
 *   BENCH_DATABASE_URL=postgres://… bun bench/search.ts
 */
import postgres from 'postgres'
import { createEmbedder, type Embedder } from '../core/models/embedder.ts'
import { freshText, oneByOne, percentile, report } from './support/measure.ts'
import { type BenchService, endBench, fill, nativeServer, startBenchService } from './support/service.ts'

const MEMORIES = Number(process.env.BENCH_MEMORIES ?? 10_000)
const QUERIES = 200

for (const kind of nativeServer() ? (['native', 'embedded'] as const) : (['embedded'] as const)) {
  const service = await startBenchService(kind)
  await fill(
    service,
    Array.from({ length: MEMORIES }, (_, n) => freshText(n)),
  )
  await oneByOne(20, n => search(service, -n - 1, 'hybrid'))
  for (const mode of ['hybrid', 'semantic', 'keyword'] as const) {
    const offset = { hybrid: 0, semantic: 10_000, keyword: 20_000 }[mode]
    const times = await oneByOne(QUERIES, n => search(service, offset + n, mode))
    const target = mode === 'hybrid' ? (kind === 'native' ? 'at most 25' : 'at most 50') : ''
    report(`${kind}: ${mode} over ${MEMORIES}, p50`, percentile(times, 0.5), 'ms', target)
    report(`${kind}: ${mode} over ${MEMORIES}, p95`, percentile(times, 0.95), 'ms')
    if (mode === 'hybrid' && kind === 'native') await compare(service, percentile(times, 0.5))
  }
  await service.server.stop()
}
await endBench()

function search({ call }: BenchService, n: number, mode: string): Promise<unknown> {
  return call('POST', '/v1/memories/search', { query: question(n), mode })
}

/** Every question is new, so that no cache of embeddings answers it. */
function question(n: number): string {
  const topics = ['budget', 'Lisbon', 'TypeScript', 'bicycle', 'garden']
  return `what did Ada say about ${topics[Math.abs(n) % topics.length]} in note ${n}?`
}

async function compare({ databaseUrl }: BenchService, productMs: number): Promise<void> {
  const embedder = await createEmbedder({ kind: 'local', queryCacheMax: 0 })
  await embedder.ready()
  const embedding = percentile(await oneByOne(QUERIES, n => embedder.embed([question(n)], { priority: 'query' })), 0.5)
  const sql = postgres(databaseUrl ?? '', { max: 1, fetch_types: false })
  const statements = await rawStatements(sql, embedder)
  await sql.end()
  await embedder.close()
  report('bare embedding of the query, p50', embedding, 'ms')
  report('raw SQL: exact scan, full text, ten rows, p50', statements, 'ms')
  report('hybrid / (raw SQL + embedding)', productMs / (embedding + statements), '', 'at most 2')
}

async function rawStatements(sql: postgres.Sql, embedder: Embedder): Promise<number> {
  const [{ workspace_id: workspaceId, prefix } = { workspace_id: '', prefix: '' }] = await sql<
    { workspace_id: string; prefix: string }[]
  >`
    select workspace_id, substring((tsvector_to_array(words))[1] from '^[^:]*:') as prefix
    from search.document limit 1`
  const vectors: string[] = []
  for (let n = 0; n < QUERIES; n++) {
    const [embedding] = await embedder.embed([question(n)], { priority: 'query' })
    vectors.push(`[${embedding?.vector.join(',')}]`)
  }
  const times = await oneByOne(QUERIES, n =>
    sql.begin(async tx => {
      const words = ['ada', 'say', 'budget', 'note', String(n)].map(word => `'${prefix}${word}'`).join(' | ')
      const near = tx`
        select memory_id, embedding <#> ${vectors[n] ?? ''} as distance
        from search.embedding where workspace_id = ${workspaceId} order by 2 limit 200`
      const worded = tx`
        select memory_id, words from search.document
        where workspace_id = ${workspaceId} and words @@ ${words}::tsquery limit 250`
      const rows = tx`select * from memories.memory where workspace_id = ${workspaceId} limit 10`
      await Promise.all([near, worded, rows])
    }),
  )
  return percentile(times, 0.5)
}
