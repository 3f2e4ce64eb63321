/**
 * Measures the dashboard with 1,000,000 events and 200,000 searches of a year in a workspace, a twentieth of them of today, and what
 * roll-ups add to a request: pairs of rounds of 100 creates, their processing and 100 searches, alternating between a server that rolls up
 * once a round, where it does so every ten minutes, and one without the plugin and its index. Native Postgres, on this machine.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/dashboard.ts [read] [cost]
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { freshText, oneByOne, percentile, report } from './support/measure.ts'
import { processorSeconds } from './support/processor-seconds.ts'
import { type BenchService, endBench, startBenchService } from './support/service.ts'

const EVENTS = 1_000_000
const SEARCHES = 200_000
const MEMORIES = 100_000
const USERS = 5000
const CALLS = 100
const PAIRS = 20
const CALLS_A_ROUND = 100
const TARGET = 'at most 30'

const chosen = process.argv.slice(2)
const wanted = (name: string) => chosen.length === 0 || chosen.includes(name)

if (wanted('read')) await read()
if (wanted('cost')) await cost()
await endBench()

async function read(): Promise<void> {
  const service = await startBenchService('native', { WORKERS: 'none' })
  const memory = (await service.call('POST', '/v1/memories', { memory: freshText(0) })) as {
    id: string
    workspace_id: string
  }
  await fillLogs(service, memory.workspace_id)
  const [first] = await oneByOne(1, () => service.call('GET', '/v1/dashboard/summary'))
  report('the first look, which rolls a year up', first ?? Number.NaN, 'ms')
  const plain = await oneByOne(CALLS, () => service.call('GET', `/v1/memories/${memory.id}`))
  report('beside it, reading a memory: p95', percentile(plain, 0.95), 'ms')
  const ratios: number[] = []
  for (const path of paths()) {
    const call = () => service.call('GET', `/v1/dashboard/${path}`)
    await oneByOne(10, call)
    const samples = await oneByOne(CALLS, call)
    report(`${path}: p50`, percentile(samples, 0.5), 'ms')
    report(`${path}: p95`, percentile(samples, 0.95), 'ms', TARGET)
    ratios.push(percentile(samples, 0.5) / percentile(plain, 0.5))
  }
  report('the slowest: p50 / that of reading a memory', Math.max(...ratios), '')
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  await service.server.kill()
}

function paths(): string[] {
  const figures = ['summary', 'charts/memories', 'charts/requests', 'charts/tokens', 'quality', 'categories']
  const lists = ['top-queries', 'search-diagnosis', 'alerts']
  return [
    ...[...figures, ...lists].flatMap(path => [path, `${path}?days=365`]),
    'charts/tokens?days=365&timezone=Asia/Kolkata&granularity=week',
    'charts/tokens?days=365&timezone=Asia/Kolkata',
    'activity',
    'activity?page=100&limit=100',
    'activity?event_type=key.created,key.revoked',
    'activity?user_id=user-1',
    'activity?user_id=user-1&event_type=memory.deleted,memory.updated',
    'activity?user_id=nobody',
  ]
}

/** Writes the logs of a year as they would have been. */
async function fillLogs({ databaseUrl }: BenchService, workspaceId: string): Promise<void> {
  const sql = postgres(databaseUrl ?? '', { max: 1, fetch_types: false, onnotice: () => undefined })
  // Every twentieth row is of the last 20 hours, the others are spread over the year.
  const at = (n: ReturnType<typeof sql>) => sql`
    now() - case when ${n} % 20 = 0 then random() * interval '20 hours' else random() * interval '364 days' end`
  const idAt = (instant: ReturnType<typeof sql>) => sql`
    (lpad(to_hex((extract(epoch from ${instant}) * 1000)::bigint), 12, '0') || '7'
      || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`
  await sql`
    insert into core.event (workspace_id, id, kind, subject_id, user_id, data, created_at)
    select
      ${workspaceId}, ${idAt(sql`made.at`)},
      case when n % 100000 = 7 then 'key.created' when n % 10 < 7 then 'memory.created' when n % 10 = 7 then 'memory.processed'
        when n % 10 = 8 then 'memory.updated' else 'memory.deleted' end,
      gen_random_uuid()::text, 'user-' || floor(power(random(), 3) * ${USERS})::int, '{}', made.at
    from generate_series(1, ${EVENTS}::int) as n
    cross join lateral (select ${at(sql`n`)} as at) as made`
  await sql`
    insert into search.query_log (
      workspace_id, id, query, query_hash, mode, results, best_score, duration_ms, words, length, created_at
    )
    select
      ${workspaceId}, ${idAt(sql`made.at`)}, made.query, md5(made.query), 'hybrid', case when n % 9 = 0 then 0 else 5 end,
      case when n % 9 = 0 then null else random() end, 5, to_tsvector('simple', made.query), 4, made.at
    from generate_series(1, ${SEARCHES}::int) as n
    cross join lateral (
      select ${at(sql`n`)} as at, 'what about topic ' || floor(power(random(), 3) * 20000)::int as query
    ) as made`
  await sql`
    insert into core.usage (workspace_id, hour, metric, operation, input, output)
    select ${workspaceId}, hour, used.metric, used.operation, 100, used.output
    from generate_series(date_trunc('hour', now()) - interval '729 days', now(), interval '1 hour') as hour
    cross join (
      values ('requests', '', 0), ('tokens', 'embedding', 0), ('tokens', 'search', 0), ('tokens', 'enrichment', 10),
        ('tokens', 'writing', 10), ('tokens', 'query', 10)
    ) as used (metric, operation, output)
    on conflict do nothing`
  await sql`
    insert into memories.memory (
      workspace_id, id, text, user_id, priority, status, categories, layer, source, content_hash, progress_at, created_at, updated_at
    )
    select
      ${workspaceId}, ${idAt(sql`made.at`)}, 'A memory of topic ' || n, 'user-' || n % ${USERS}, 'MEDIUM', 'COMPLETED',
      case when n % 3 = 0 then '{}' else array['topic ' || n % 40] end, 'RAW', 'API', sha256(n::text::bytea), made.at, made.at, made.at
    from generate_series(1, ${MEMORIES}::int) as n
    cross join lateral (select ${at(sql`n`)} as at) as made`
  await sql`
    insert into memories.live_count (workspace_id, stripe, count)
    values (${workspaceId}, -1, ${MEMORIES})`
  await sql`vacuum analyze core.event, core.usage, search.query_log, memories.memory`
  await sql.end()
}

async function cost(): Promise<void> {
  const sides = { with: await start({}), without: await start({ PLUGINS_DISABLED: 'dashboard' }) }
  await sides.without.sql`drop index core.event_user`
  const ratios: Record<keyof Round, number[]> = { create: [], search: [], processor: [] }
  for (let pair = 0; pair <= PAIRS; pair++) {
    const rounds: Partial<Record<keyof typeof sides, Round>> = {}
    const order = pair % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)
    for (const side of order) rounds[side] = await round(sides[side])
    const { with: product, without } = rounds
    // The first pair warms both up.
    if (pair === 0 || !product || !without) continue
    for (const name of ['create', 'search', 'processor'] as const) ratios[name].push(product[name] / without[name])
  }
  const names = { create: 'create, p50', search: 'search, p50', processor: 'processor time of a round' }
  for (const name of ['create', 'search', 'processor'] as const) {
    const sorted = ratios[name].toSorted((a, b) => a - b)
    report(
      `${names[name]}: with roll-ups / without, median of ${PAIRS} pairs`,
      percentile(sorted, 0.5),
      '',
      'at most 1.05',
    )
    // The 6th and the 15th of 20 samples bound the median with a confidence of 96 %.
    report('    96 % interval, from', sorted[5] ?? Number.NaN, '')
    report('    96 % interval, to', sorted[14] ?? Number.NaN, '')
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  for (const { sql } of Object.values(sides)) await sql.end()
}

/** Milliseconds of a request, and processor seconds of the server and of Postgres in all. */
interface Round {
  readonly create: number
  readonly search: number
  readonly processor: number
}

/** The jobs of one phase are done before the next begins, so that each pays for its own. */
async function round({ service, sql, rollUp }: Awaited<ReturnType<typeof start>>): Promise<Round> {
  const before = await processorSeconds(service.server.pid, sql)
  await rollUp?.()
  const create = await oneByOne(CALLS_A_ROUND, n => service.call('POST', '/v1/memories', { memory: freshText(n) }))
  await jobsDone(sql)
  const search = await oneByOne(CALLS_A_ROUND, n =>
    service.call('POST', '/v1/memories/search', { query: `trip ${n}`, mode: 'keyword' }),
  )
  return {
    create: percentile(create, 0.5),
    search: percentile(search, 0.5),
    processor: (await processorSeconds(service.server.pid, sql)) - before,
  }
}

/** Waits until no job is due; bounded by a minute. */
async function jobsDone(sql: postgres.Sql): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const [due] = await sql`select from graphile_worker._private_jobs where run_at <= now() limit 1`
    if (!due) return
    if (Date.now() > deadline) throw new Error('jobs still run after a minute')
    await pause(20)
  }
}

async function start(settings: Record<string, string>) {
  const service = await startBenchService('native', settings)
  const sql = postgres(service.databaseUrl ?? '', { max: 1, fetch_types: false, onnotice: () => undefined })
  await service.call('POST', '/v1/memories', { memory: freshText(0) })
  // From the first look on, the workspace is rolled up.
  if (!settings.PLUGINS_DISABLED) await service.call('GET', '/v1/dashboard/summary')
  return {
    service,
    sql,
    rollUp: settings.PLUGINS_DISABLED
      ? undefined
      : async () => {
          await sql`update dashboard.progress set rolled_to = rolled_to - interval '1 day', checked_at = null`
          await sql`select graphile_worker.add_job('dashboard:watch', '{}'::json)`
        },
  }
}
