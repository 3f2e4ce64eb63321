/**
 * Measures an idle server with its jobs: processor time, bytes written to the disk and, on native Postgres, transactions. It
 * holds 30 memories, and all that follows from them has been done. Linux only: the figures of a process are read from /proc.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/idle.ts [SECONDS]
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import type { Process } from '../test/support/process.ts'
import { freshText, report } from './support/measure.ts'
import { endBench, fill, nativeServer, settled, startBenchService } from './support/service.ts'

const SECONDS = Number(process.argv[2] ?? 300)
const MEMORIES = 30
/** Pages that change for the first time after a start are written as a whole, once. */
const SETTLE_MS = 120_000
const DAY_SECONDS = 86_400

await measure('embedded')
if (nativeServer()) await measure('native')
await endBench()

async function measure(kind: 'embedded' | 'native'): Promise<void> {
  const service = await startBenchService(kind)
  const texts = Array.from({ length: MEMORIES }, (_, n) => freshText(n))
  await fill(service, texts, { user_id: 'ada' })
  await settled(service.server.url)
  // A start has written everything, and what is measured is not the end of the filling.
  await service.server.stop()
  const server = await service.restart()
  await pause(SETTLE_MS)
  const before = await figuresOf(server, service.databaseUrl)
  await pause(SECONDS * 1000)
  const after = await figuresOf(server, service.databaseUrl)
  const a = (name: keyof typeof after) => (after[name] - before[name]) / SECONDS
  report(`${kind}: processor time, idle for ${SECONDS} s`, 100 * a('processorSeconds'), '%', 'at most 1')
  const written = (a('bytesWritten') * DAY_SECONDS) / 1e6
  report(`${kind}: written to the disk`, written, 'MB/day', kind === 'embedded' ? 'at most 100' : '')
  if (kind === 'native') report('native: transactions', a('transactions'), '/s', 'at most 2')
  await server.stop()
}

async function figuresOf(server: Process, databaseUrl: string | undefined) {
  return {
    processorSeconds: processorSeconds(server.pid),
    bytesWritten: numberIn(`/proc/${server.pid}/io`, /^write_bytes: (\d+)$/m),
    transactions: databaseUrl ? await transactions(databaseUrl) : 0,
  }
}

/** User and system time of a process with its threads, in seconds. */
function processorSeconds(pid: number): number {
  return (
    numberIn(`/proc/${pid}/stat`, /\) (?:\S+ ){11}(\d+)/) / 100 +
    numberIn(`/proc/${pid}/stat`, /\) (?:\S+ ){12}(\d+)/) / 100
  )
}

function numberIn(file: string, pattern: RegExp): number {
  return Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? Number.NaN)
}

async function transactions(url: string): Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const [row] = await sql<{ count: number }[]>`
      select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()`
    return row?.count ?? Number.NaN
  } finally {
    await sql.end()
  }
}
