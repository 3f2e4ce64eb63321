/**
 * An hour of mixed load: eight workspaces use all operations with long and short texts and with bodies that are refused. Memory in the second
 * half, unexplained responses from 500 up, and the p95 of the first and the last ten minutes (of a quarter each where it is shorter). With
 * `--kill-every` the server is killed again and again: nothing acknowledged may be lost, and no memory stuck for more than a minute.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/soak.ts
 *   bun bench/soak.ts --on embedded --minutes 30 --kill-every 120
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SoakClient } from './soak/client.ts'
import { operationsOf } from './soak/operations.ts'
import { Record } from './soak/record.ts'
import { residentMb } from './support/process-memory.ts'
import { BENCH_KEY, endBench, nativeServer, startBenchService } from './support/service.ts'
import { addTenant } from './support/tenants.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    'kill-every': { type: 'string', default: '0' },
    on: { type: 'string' },
  },
})
const [minutes, killEvery] = [Number(values.minutes), Number(values['kill-every'])]
const WORKSPACES = 8
const MEMORY_PAUSE_MS = 2000
/** A memory is stuck where none ended for so long. */
const STUCK_MS = 60_000

type Kind = 'native' | 'embedded'
const all: readonly Kind[] = nativeServer() ? ['native', 'embedded'] : ['embedded']
for (const kind of all.filter(one => values.on === undefined || values.on === one)) await soak(kind)
await endBench()

async function soak(kind: Kind): Promise<void> {
  const service = await startBenchService(kind)
  let { server } = service
  const others = Array.from({ length: WORKSPACES - 1 }, (_, n) => addTenant(service.server, `Soak ${n + 2}`))
  const keys = [BENCH_KEY, ...(await Promise.all(others))]
  const operations = await operationsOf(server.url)
  const record = new Record()
  const clients = keys.map((key, n) => new SoakClient(key, () => server.url, operations, record, n + 1))
  const from = Date.now()
  const to = from + minutes * 60_000
  const watch = setInterval(() => record.noteMemory(residentMb(server.pid)), MEMORY_PAUSE_MS)
  const running = Promise.all(clients.map(client => client.run(to)))
  let kills = 0
  while (killEvery > 0 && Date.now() + killEvery * 1000 < to) {
    await pause(killEvery * 1000)
    record.noteAway()
    await server.kill()
    server = await service.restart()
    record.noteBack()
    kills++
  }
  await running
  clearInterval(watch)
  console.log(
    `\n## ${kind}, ${minutes} minutes, ${WORKSPACES} workspaces, ${operations.length} operations, ${kills} kills`,
  )
  tell(record, from, to)
  await tellMemories(clients)
  await server.stop()
}

function tell(record: Record, from: number, to: number): void {
  const quarter = (to - from) / 4
  const end = Math.min(10 * 60_000, quarter)
  const [third, fourth] = [record.memory(to - 2 * quarter, to - quarter), record.memory(to - quarter, to)]
  console.log(`responses: ${record.statuses}`)
  console.log(`unexplained: ${record.unexplained.map(([name, count]) => `${count} × ${name}`).join(', ') || 'none'}`)
  console.log(`p95: first ${ms(record.p95(from, from + end))}, last ${ms(record.p95(to - end, to))}`)
  for (const [name, first, last] of record.costliest(8, [from, from + end], [to - end, to]))
    console.log(`  ${name}: first ${ms(first)}, last ${ms(last)}`)
  console.log(`memory, median and most: third quarter ${mb(third)}, fourth ${mb(fourth)}`)
}

/** Finds what is lost among the acknowledged memories, and waits for their processing. */
async function tellMemories(clients: readonly SoakClient[]): Promise<void> {
  const open = clients.flatMap(client => [...client.acknowledged].map(id => ({ client, id })))
  const count = open.length
  const lost: string[] = []
  const from = Date.now()
  let endedAt = from
  let left = open
  while (left.length > 0 && Date.now() - endedAt < STUCK_MS) {
    const still: typeof open = []
    for (const one of left) {
      const response = await one.client.send('GET', `/v1/memories/${one.id}`)
      if (response?.status === 404) lost.push(one.id)
      const isOver = response?.status === 404 || (response?.status === 200 && isProcessed(await response.json()))
      if (!isOver) still.push(one)
    }
    if (still.length < left.length) endedAt = Date.now()
    left = still
    await pause(500)
  }
  console.log(`acknowledged: ${count}, lost: ${lost.length}, stuck: ${left.length}`)
  console.log(`all were processed ${((endedAt - from) / 1000).toFixed(0)} s after the load`)
}

function isProcessed(memory: unknown): boolean {
  const status = typeof memory === 'object' && memory !== null ? Reflect.get(memory, 'status') : undefined
  return status === 'COMPLETED' || status === 'FAILED'
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`
}

function mb({ median, most }: { readonly median: number; readonly most: number }): string {
  return `${median} MB and ${most} MB`
}
