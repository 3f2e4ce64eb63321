/**
 * Time from the start of the process to a good `/ready`, on an empty folder and on an existing one, and the memory of the whole
 * service (server, embedded database and model in one process) after 10,000 memories. Linux only: memory is read from /proc.
 *
 *   bun bench/start.ts
 */
import { readFile } from 'node:fs/promises'
import { temporaryFolder } from '../test/support/database.ts'
import { startServer } from '../test/support/process.ts'
import { freshText, percentile, report } from './support/measure.ts'
import { BENCH_KEY, caller, endBench, fill } from './support/service.ts'

const ROUNDS = 3
const MEMORIES = 10_000

const empty: number[] = []
const existing: number[] = []
let folder = ''
for (let round = 0; round < ROUNDS; round++) {
  folder = await temporaryFolder()
  empty.push(await timeToReady(folder))
  existing.push(await timeToReady(folder))
}
report('start to /ready, empty folder, median', percentile(empty, 0.5), 'ms', 'at most 10,000')
report('start to /ready, existing folder, median', percentile(existing, 0.5), 'ms', 'at most 2,000')

const server = await startServer(settings(folder))
const service = { call: caller(server.url) }
report('memory of the process, empty', await residentMegabytes(server.pid), 'MB')
const startedAt = performance.now()
await fill(
  service,
  Array.from({ length: MEMORIES }, (_, n) => freshText(n)),
)
report(`${MEMORIES} memories stored and processed in`, (performance.now() - startedAt) / 1000, 's')
report('memory of the process, afterwards', await residentMegabytes(server.pid), 'MB', 'at most 700')
await server.stop()
report('start to /ready, with the memories', await timeToReady(folder), 'ms', 'at most 2,000')
await endBench()

async function timeToReady(dataDir: string): Promise<number> {
  const began = performance.now()
  const started = await startServer(settings(dataDir))
  const response = await fetch(`${started.url}/ready`)
  const elapsed = performance.now() - began
  if (!response.ok) throw new Error(`/ready answered ${response.status}`)
  await started.stop()
  return elapsed
}

function settings(dataDir: string) {
  return { DATA_DIR: dataDir, BOOTSTRAP_API_KEY: BENCH_KEY, LOG_LEVEL: 'error' }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}
