/**
 * Measures what the kernel costs: get-one and create over HTTP against a bare Elysia handler that runs the same statements
 * (`bare-elysia.ts`), on native Postgres, in alternating rounds; and the statements alone through postgres.js.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/kernel.ts
 */
import { spawn } from 'node:child_process'
import postgres from 'postgres'
import { findDetails } from '../plugins/memories/queries/read.ts'
import { freshText, oneByOne, percentile, report, throughput } from './support/measure.ts'
import { caller, endBench, startBenchService } from './support/service.ts'

const ROUNDS = 6
const CALLS_A_ROUND = 250
const LOAD_MS = 2500
const CLIENTS = 16

const service = await startBenchService('native', { WORKERS: 'none' })
const stored = (await service.call('POST', '/v1/memories', { memory: freshText(0) })) as {
  id: string
  workspace_id: string
}
const baseline = await startBaseline(stored.workspace_id)
let serial = 1

const calls = {
  get: (call: typeof service.call) => () => call('GET', `/v1/memories/${stored.id}`),
  create: (call: typeof service.call) => () => call('POST', '/v1/memories', { memory: freshText(serial++) }),
}
for (const [name, make] of Object.entries(calls)) {
  const sides = { product: make(service.call), baseline: make(baseline.call) }
  const alone: Record<string, number[]> = { product: [], baseline: [] }
  const load: Record<string, number[]> = { product: [], baseline: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [side, call] of Object.entries(sides)) {
      const samples = await oneByOne(CALLS_A_ROUND, call)
      const rate = await throughput(CLIENTS, LOAD_MS, call)
      // The first round warms both up.
      if (round === 0) continue
      alone[side]?.push(...samples)
      load[side]?.push(rate)
    }
  }
  const p50 = { product: percentile(alone.product ?? [], 0.5), baseline: percentile(alone.baseline ?? [], 0.5) }
  const rate = { product: percentile(load.product ?? [], 0.5), baseline: percentile(load.baseline ?? [], 0.5) }
  report(`${name}: product, p50 at 1 client`, p50.product, 'ms')
  report(`${name}: bare Elysia, p50 at 1 client`, p50.baseline, 'ms')
  report(`${name}: product / bare Elysia`, p50.product / p50.baseline, '', 'at most 1.5')
  report(`${name}: product, ${CLIENTS} clients`, rate.product, '/s')
  report(`${name}: bare Elysia, ${CLIENTS} clients`, rate.baseline, '/s')
  report(`${name}: product / bare Elysia`, rate.product / rate.baseline, '', 'at least 0.65')
}
await raw()
baseline.stop()
await endBench()

/** The statement of get-one without HTTP, in the same transaction and alone. */
async function raw(): Promise<void> {
  const sql = postgres(service.databaseUrl ?? '', { max: 1, fetch_types: false })
  const inTransaction = () => sql.begin(tx => findDetails(tx, stored.workspace_id, stored.id))
  const alone = () => sql`
    select * from memories.memory where workspace_id = ${stored.workspace_id} and id = ${stored.id}`
  report('get: postgres.js in a transaction, p50', percentile(await oneByOne(CALLS_A_ROUND, inTransaction), 0.5), 'ms')
  report('get: postgres.js without one, p50', percentile(await oneByOne(CALLS_A_ROUND, async () => alone()), 0.5), 'ms')
  await sql.end()
}

async function startBaseline(workspaceId: string) {
  const child = spawn(process.execPath, ['bench/bare-elysia.ts'], {
    env: { ...process.env, ...service.settings, PORT: '0', BENCH_WORKSPACE_ID: workspaceId, WORKERS: 'none' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const base = await new Promise<string>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the baseline ended with ${code}`)))
    child.stdout.on('data', chunk => {
      output += String(chunk)
      const address = /listens on (\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    })
  })
  return { call: caller(base), stop: () => child.kill('SIGTERM') }
}
