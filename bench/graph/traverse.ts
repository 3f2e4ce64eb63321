/**
 * Walks of depth 3 with at most 100 edges over a graph of 100,000 edges, over HTTP, against the same walk in plain SQL on the same
 * tables, level by level and past row-level security. Both take turns, start by start.
 *
 *   bun bench/graph/traverse.ts                              on the embedded database
 *   BENCH_DATABASE_URL=postgres://… bun bench/graph/traverse.ts
 */
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbedded } from 'served-pglite'
import { onEnd } from '../../test/support/closing.ts'
import { createNative, temporaryFolder } from '../../test/support/database.ts'
import { startServer } from '../../test/support/process.ts'
import { elapsed, percentile, report } from '../support/measure.ts'
import { BENCH_KEY, caller, endBench, nativeServer, requireNativeServer } from '../support/service.ts'
import { type BenchGraph, fillGraph } from './world.ts'

const ENTITIES = 10_000
const EDGES = Number(process.env.BENCH_EDGES ?? 100_000)
const ROUNDS = 300
const WARM_UP = 30
const LIMIT = 100

for (const kind of nativeServer() ? (['native', 'embedded'] as const) : (['embedded'] as const)) {
  // The embedded database is opened here, so that it can be filled; the server speaks to it as to any other.
  const url = kind === 'native' ? await createNative(requireNativeServer()) : await openEmbedded()
  const server = await startServer({
    DATABASE_URL: url,
    ENCRYPTION_KEY: 'benchmark-benchmark-benchmark-0000',
    BOOTSTRAP_API_KEY: BENCH_KEY,
    RATE_LIMIT: '100000000',
    LOG_LEVEL: 'error',
    WORKERS: 'none',
  })
  await measure(kind, url, caller(server.url))
  await server.stop()
}
await endBench()

async function openEmbedded(): Promise<string> {
  const embedded = await startEmbedded({ folder: join(await temporaryFolder(), 'postgres') })
  onEnd(() => embedded.stop())
  return embedded.url
}

async function measure(
  kind: string,
  url: string,
  call: (method: string, path: string) => Promise<unknown>,
): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  const graph = await fillGraph(sql, ENTITIES, EDGES, ROUNDS)
  const product: number[] = []
  const raw: number[] = []
  let edges = 0
  for (let n = -WARM_UP; n < ROUNDS; n++) {
    const from = graph.starts[(n + WARM_UP) % graph.starts.length] ?? ''
    let answer: unknown
    const path = `/v1/graph/traverse?from=${from}&depth=3&limit=${LIMIT}`
    const took = await elapsed(async () => {
      answer = await call('GET', path)
    })
    const plainly = await elapsed(() => plainWalk(sql, graph, from))
    if (n < 0) continue
    product.push(took)
    raw.push(plainly)
    edges += edgesIn(answer)
  }
  await sql.end()
  const what = `${kind}: depth 3, limit ${LIMIT}, ${EDGES} edges`
  report(`${what}, p50`, percentile(product, 0.5), 'ms')
  report(`${what}, p95`, percentile(product, 0.95), 'ms', kind === 'native' ? 'at most 20' : '')
  report('plain SQL, level by level, p50', percentile(raw, 0.5), 'ms')
  report('plain SQL, level by level, p95', percentile(raw, 0.95), 'ms')
  report('product / plain SQL, p50', percentile(product, 0.5) / percentile(raw, 0.5), '')
  report('edges in an answer, mean', edges / ROUNDS, '')
}

function edgesIn(answer: unknown): number {
  const edges = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'edges') : undefined
  if (!Array.isArray(edges)) throw new Error('the walk answered without edges')
  return edges.length
}

/** A first attempt would be this: three statements, and no weights, names or evidence. */
async function plainWalk(sql: postgres.Sql, { workspaceId }: BenchGraph, from: string): Promise<string[]> {
  const seen = new Set([from])
  const edges = new Set<string>()
  let frontier = [from]
  for (let depth = 0; depth < 3 && frontier.length > 0 && edges.size < LIMIT; depth++) {
    const rows = await sql<{ id: string; source_id: string; target_id: string }[]>`
      select id, source_id, target_id
      from graph.edge
      where workspace_id = ${workspaceId}
        and known_to is null
        and (source_id = any(${frontier}::uuid[]) or target_id = any(${frontier}::uuid[]))
        and id <> all(${[...edges]}::uuid[])
      order by weight desc
      limit ${LIMIT - edges.size}`
    frontier = []
    for (const row of rows) {
      edges.add(row.id)
      for (const id of [row.source_id, row.target_id]) {
        if (seen.has(id)) continue
        seen.add(id)
        frontier.push(id)
      }
    }
  }
  return [...edges]
}
