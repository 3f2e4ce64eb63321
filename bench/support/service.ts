import { setTimeout as pause } from 'node:timers/promises'
import { closeAll } from '../../test/support/closing.ts'
import { createNative, temporaryFolder } from '../../test/support/database.ts'
import { type ServerProcess, type Settings, startServer } from '../../test/support/process.ts'

export const BENCH_KEY = 'mn_live_benchmarkbenchmarkbenchmark00'

/** Native figures are taken here: a superuser's URL of a Postgres 15+ with pgvector. */
export function nativeServer(): string | undefined {
  return process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL
}

export function requireNativeServer(): string {
  const url = nativeServer()
  if (url) return url
  console.error('Set BENCH_DATABASE_URL to a superuser URL of a Postgres 15 or newer with pgvector.')
  process.exit(2)
}

export interface BenchService {
  readonly server: ServerProcess
  /** Its database's URL; undefined for the embedded one. */
  readonly databaseUrl: string | undefined
  readonly settings: Settings
  /** Another process on the same store, once the first has stopped. */
  restart(): Promise<ServerProcess>
  /** A call with the key; throws on any answer that is no success. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
}

/** A server process on an empty database, quiet and without a rate limit that could be reached. */
export async function startBenchService(kind: 'native' | 'embedded', extra: Settings = {}): Promise<BenchService> {
  const databaseUrl = kind === 'native' ? await createNative(requireNativeServer()) : undefined
  const store: Settings = databaseUrl
    ? { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: 'benchmark-benchmark-benchmark-0000' }
    : { DATA_DIR: await temporaryFolder() }
  const settings = { ...store, BOOTSTRAP_API_KEY: BENCH_KEY, RATE_LIMIT: '100000000', LOG_LEVEL: 'error', ...extra }
  const server = await startServer(settings)
  return { server, databaseUrl, settings, restart: () => startServer(settings), call: caller(server.url) }
}

/** A caller of `base` with a key, the benchmark's own by default. */
export function caller(base: string, key = BENCH_KEY) {
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(base + path, {
      method,
      headers: { 'X-Api-Key': key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return text ? JSON.parse(text) : undefined
  }
}

/** Stores texts in batches and resolves when all of them are processed. */
export async function fill(
  service: Pick<BenchService, 'call'>,
  texts: readonly string[],
  fields: object = {},
): Promise<void> {
  for (let from = 0; from < texts.length; from += 500) {
    const memories = texts.slice(from, from + 500).map(memory => ({ memory, ...fields }))
    await service.call('POST', '/v1/memories/batch', { memories })
  }
  await processed(service)
}

/** Waits until no memory is waiting any more, oldest last; bounded by an hour. */
export async function processed({ call }: Pick<BenchService, 'call'>): Promise<void> {
  const deadline = Date.now() + 3_600_000
  for (;;) {
    const metrics = (await call('GET', '/v1/memories?page_size=1')) as { total: number }
    const last = Math.max(1, Math.ceil(metrics.total / 100))
    const pages = await Promise.all(
      [1, Math.ceil(last / 2), last].map(page => call('GET', `/v1/memories?page_size=100&page=${page}`)),
    )
    const waiting = (pages as { data: { status: string }[] }[]).some(page =>
      page.data.some(memory => memory.status === 'PENDING' || memory.status === 'PROCESSING'),
    )
    if (!waiting) return
    if (Date.now() > deadline) throw new Error('still processing after an hour')
    await pause(100)
  }
}

/** Nothing was due and no job ended for this long: the graph has read, and knowledge is compiled. */
const QUIET_MS = 8_000

/** Waits until what follows the processing is done as well, so that it takes nothing from what is measured; bounded by twenty minutes. */
export async function settled(base: string): Promise<void> {
  const deadline = Date.now() + 1_200_000
  let ended = -1
  let since = Date.now()
  while (Date.now() - since < QUIET_MS) {
    if (Date.now() > deadline) throw new Error('jobs still run after twenty minutes')
    const now = await jobsEnded(base)
    if (now !== ended || (await workAtHand(base)) > 0) since = Date.now()
    ended = now
    await pause(500)
  }
}

/** Counts the items of work that are due or being done, in all processes. */
const workAtHand = (base: string) =>
  sumOf(base, 'mneme_work_items_queued', labels => /state="(due|claimed)"/.test(labels))

/** Tells how many megabytes the caches, buffers and queues of the process hold by their own estimate. */
export async function cachedMb(base: string): Promise<number> {
  return Math.round((await sumOf(base, 'mneme_cache_bytes')) / 1024 ** 2)
}

/** Counts how often jobs ended in this process; those of a task, or all. */
export function jobsEnded(base: string, task = ''): Promise<number> {
  return sumOf(base, 'mneme_job_attempt_duration_seconds_count', labels => labels.includes(task))
}

/** Adds up a metric over those of its labels that are wanted. */
async function sumOf(base: string, name: string, isWanted = (_labels: string) => true): Promise<number> {
  const metrics = await (await fetch(`${base}/metrics`)).text()
  const series = metrics.matchAll(/^(\w+)\{([^}]*)\} (\S+)$/gm)
  return [...series].reduce(
    (sum, [, found, labels = '', value]) => (found === name && isWanted(labels) ? sum + Number(value) : sum),
    0,
  )
}

export const endBench = closeAll
