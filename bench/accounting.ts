/**
 * Compares the figures of the dashboard with an independent count: a scripted day of 10,000 requests of three workspaces (writes, searches,
 * reads), two servers on one database, one of which is killed in the middle and comes back; then how far a month's quota of requests is
 * overrun when two servers count it. Writes are repeated with their `Idempotency-Key` when their server dies. Native Postgres.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/accounting.ts
 */

import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../core/db/database.ts'
import { createEmbedder } from '../core/models/create-embedder.ts'
import type { ServerProcess } from '../test/support/process.ts'
import { freshText, report } from './support/measure.ts'
import { makePlace, type Place } from './support/places.ts'
import { endBench, startBenchService } from './support/service.ts'
import { openReceiver, type Receiver } from './webhooks/receivers.ts'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 10_000)
const CLIENTS = 12
/** Counts are written each second; a flush that is under way takes a moment. */
const UNWRITTEN_MS = 2000
const TRIES_MAX = 20
/** Claims of a killed server lapse after 40 seconds and are looked for each minute; the rest depends on the machine. */
const DRAIN_MS_MAX = 300_000
const QUOTA = 100_000
const QUOTA_LEFT = 1500

interface Tally {
  readonly place: Place
  readonly receiver: Receiver
  webhookId: string
  /** Maps ids of created memories to their texts. */
  readonly created: Map<string, string>
  answered: number
  searches: number
  /** Requests that got no response: they may have been counted. */
  broken: number
  /** When the server that was killed answered, and whether it was a search. */
  readonly byKilled: { readonly at: number; readonly search: boolean }[]
}

let killedAt = Number.POSITIVE_INFINITY
let begun = 0

const settings = { ALLOW_PRIVATE_NETWORKS: 'true', PLUGINS_DISABLED: 'graph,knowledge' }
const service = await startBenchService('native', settings)
const database = openDatabase({ url: service.databaseUrl ?? '', poolSize: 2 })
const servers: ServerProcess[] = [service.server, await service.restart()]
const tallies: Tally[] = []
for (const name of ['one', 'two', 'three']) {
  const tally: Tally = {
    place: await makePlace(database, name),
    receiver: await openReceiver(`127.0.0.${10 + tallies.length}`),
    webhookId: '',
    created: new Map(),
    answered: 0,
    searches: 0,
    broken: 0,
    byKilled: [],
  }
  tallies.push(tally)
  const webhook = await call(tally, 'POST', '/v1/webhooks', { url: tally.receiver.url, events: ['memory.created'] })
  tally.webhookId = webhook.id
}

const startedAt = Date.now()
await Promise.all([...Array.from({ length: CLIENTS }, client), crash()])
report('requests, with the crash', (Date.now() - startedAt) / 1000, 's')
await drained()
report('until all were processed and delivered', (Date.now() - startedAt) / 1000, 's')
for (const tally of tallies) await compare(tally)
await quota()
console.log(`load ${loadavg()[0]?.toFixed(1)}`)
for (const { receiver } of tallies) receiver.close()
await database.close()
await endBench()

async function client(): Promise<void> {
  while (begun < REQUESTS) {
    const n = begun++
    const tally = tallies[n % tallies.length]
    if (tally) await request(tally, n)
  }
}

async function request(tally: Tally, n: number): Promise<void> {
  const kind = n % 10
  if (kind < 3) {
    const memory = freshText(n)
    const { id } = await call(tally, 'POST', '/v1/memories', { memory, user_id: `user-${n % 50}` })
    tally.created.set(id, memory)
  } else if (kind < 9) {
    await call(tally, 'POST', '/v1/memories/search', { query: `the garden party ${n}`, mode: 'keyword' })
  } else await call(tally, 'GET', '/v1/memories?page_size=5')
}

/** Sends a request until some server answers, and counts. */
async function call(tally: Tally, method: string, path: string, body?: unknown): Promise<{ id: string }> {
  const key = randomUUID()
  let last: unknown
  const first = Math.floor(Math.random() * servers.length)
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const index = (first + attempt) % servers.length
    const server = servers[index]
    const text = await send(server?.url ?? '', tally.place.key, method, path, body, key).catch(error => {
      last = error
      return undefined
    })
    if (text === undefined) {
      tally.broken++
      await pause(200)
      continue
    }
    const search = path.endsWith('/search')
    tally.answered++
    if (search) tally.searches++
    if (index === 0 && Date.now() < killedAt) tally.byKilled.push({ at: Date.now(), search })
    return JSON.parse(text)
  }
  throw new Error(`${method} ${path} was not answered`, { cause: last })
}

async function send(base: string, apiKey: string, method: string, path: string, body: unknown, key: string) {
  const response = await fetch(base + path, {
    method,
    headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`)
  return text
}

async function crash(): Promise<void> {
  while (begun < REQUESTS / 2) await pause(20)
  await servers[0]?.kill()
  killedAt = Date.now()
  servers[0] = await service.restart()
}

/** A request beside the scripted ones, which counts as well. */
async function plain(tally: Tally, method: string, path: string) {
  tally.answered++
  return JSON.parse(await send(servers[1]?.url ?? '', tally.place.key, method, path, undefined, randomUUID()))
}

async function compare(tally: Tally): Promise<void> {
  const { created, receiver } = tally
  await settle()
  const quality = await plain(tally, 'GET', '/v1/dashboard/quality?days=1')
  const summary = await plain(tally, 'GET', '/v1/dashboard/summary?days=1')
  const deliveries = await plain(tally, 'GET', `/v1/webhooks/${tally.webhookId}/deliveries?page_size=1`)
  await settle()
  const requests = await requestsOf(tally.place)
  const tokens = quality.token_usage_by_operation.embedding?.input ?? 0
  const lost = tally.byKilled.filter(({ at }) => at >= killedAt - UNWRITTEN_MS)
  const arrived = new Set(receiver.arrivals.map(({ deliveryId }) => deliveryId)).size
  console.log(`${created.size} memories, ${tally.searches} searches, ${tally.answered} requests`)
  report('memories: shown - created', summary.memories.current - created.size, '', '0')
  report('tokens of writes: shown - counted', tokens - (await tokensOf([...created.values()])), '', '0')
  report('deliveries: shown - created', deliveries.total - created.size, '', '0')
  report('deliveries: arrived - created', arrived - created.size, '', '0')
  report('searches: shown - answered', quality.total_searches - tally.searches, '')
  report('  at the least, for the killed server', -lost.filter(({ search }) => search).length, '')
  report('requests: shown - answered', requests - tally.answered, '')
  report('  at the least, for the killed server', -lost.length, '')
  report('  at the most, since they got no response', tally.broken, '')
}

/** Waits until all memories are processed and all deliveries have arrived; asking the database adds no request to those that are counted. */
async function drained(): Promise<void> {
  const deadline = Date.now() + DRAIN_MS_MAX
  for (;;) {
    const [left] = await database.system(
      tx => tx<{ memories: number; deliveries: number }[]>`
        select
          (select count(*)::int from memories.memory where status in ('PENDING', 'PROCESSING')) as memories,
          (select count(*)::int from webhooks.delivery where status = 'PENDING') as deliveries`,
    )
    if (left?.memories === 0 && left.deliveries === 0) return
    if (Date.now() > deadline) {
      console.log(`gave up waiting: ${left?.memories} memories and ${left?.deliveries} deliveries are left`)
      return
    }
    await pause(500)
  }
}

/** Waits until the counts of the last second are written. */
function settle(): Promise<void> {
  return pause(3000)
}

async function requestsOf({ id }: Place): Promise<number> {
  const [row] = await database.system(
    tx => tx<{ requests: number }[]>`
      select coalesce(sum(usage.input), 0)::int as requests
      from core.usage as usage
      where usage.workspace_id = ${id} and usage.metric = 'requests'`,
  )
  return row?.requests ?? 0
}

async function tokensOf(texts: readonly string[]): Promise<number> {
  const embedder = await createEmbedder({ kind: 'local', warn: message => console.warn(message) })
  const made = await embedder.embed(texts)
  await embedder.close()
  return made.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** Two servers count requests against one quota that is nearly used up. */
async function quota(): Promise<void> {
  const place = await makePlace(database, 'quota', 'free')
  await database.system(async tx => {
    await tx`
      insert into core.usage (workspace_id, hour, metric, operation, input)
      values (${place.id}, date_trunc('hour', now(), 'UTC'), 'requests', '', ${QUOTA - QUOTA_LEFT})`
  })
  let admitted = 0
  let refused = 0
  const one = async (n: number) => {
    while (refused < 200 && admitted < QUOTA_LEFT * 4) {
      const response = await fetch(`${servers[n % 2]?.url}/v1/memories?page_size=1`, {
        headers: { 'X-Api-Key': place.key },
      })
      await response.body?.cancel()
      if (response.status === 429) refused++
      else admitted++
    }
  }
  const startedAt = Date.now()
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => one(n)))
  report('requests a second against the quota', (admitted * 1000) / (Date.now() - startedAt), '/s')
  report(`admitted beyond the quota of ${QUOTA}`, ((admitted - QUOTA_LEFT) / QUOTA) * 100, '%', 'at most 1')
}
