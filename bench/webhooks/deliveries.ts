/**
 * Deliveries to webhooks, native or embedded: how long they take from the commit to the receiver while nothing else happens, how many a second a
 * receiver gets while twenty others hang, and whether all arrive when the server is killed in between.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/webhooks/deliveries.ts [embedded] [idle] [sustained] [killed]
 *
 * `BENCH_SECONDS` and `BENCH_RATE` are the time and the events a second of `sustained`.
 */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { percentile, report } from '../support/measure.ts'
import { type BenchService, caller, endBench, startBenchService } from '../support/service.ts'
import { openReceiver, type Receiver } from './receivers.ts'

const IDLE_EVENTS = 200
const RATE = Number(process.env.BENCH_RATE ?? 200)
const SUSTAINED_S = Number(process.env.BENCH_SECONDS ?? 60)
const HANGING = 20
const KILLED_EVENTS = 1000
/** A claim lapses after 40 seconds, and what lapsed is looked for each minute. */
const KILLED_LIMIT_MS = 180_000

const PLUGINS = fileURLToPath(new URL('pulse.ts', import.meta.url))
const words = process.argv.slice(2)
const kind = words.includes('embedded') ? 'embedded' : 'native'
const chosen = words.filter(word => word !== kind)
const wanted = (name: string) => chosen.length === 0 || chosen.includes(name)

if (wanted('idle')) await idle()
if (wanted('sustained')) await sustained()
if (wanted('killed')) await killed()
await endBench()

function start(): Promise<BenchService> {
  return startBenchService(kind, { PLUGINS, ALLOW_PRIVATE_NETWORKS: 'true' })
}

function webhook({ call }: Pick<BenchService, 'call'>, { url }: Receiver, kind: string): Promise<unknown> {
  return call('POST', '/v1/webhooks', { url, events: [kind] })
}

async function publish(
  { call }: Pick<BenchService, 'call'>,
  kind: string,
  numbers: readonly number[],
): Promise<number> {
  const { committed_at } = (await call('POST', '/v1/x/pulse/events', { kind, numbers })) as { committed_at: number }
  return committed_at
}

async function idle(): Promise<void> {
  const service = await start()
  const receiver = await openReceiver('127.0.0.1')
  await webhook(service, receiver, 'pulse.beat')
  const committed: number[] = []
  for (let number = 0; number < IDLE_EVENTS; number++) {
    committed.push(await publish(service, 'pulse.beat', [number]))
    await pause(50)
  }
  await arrived(receiver, IDLE_EVENTS, 30_000)
  const times = receiver.arrivals.map(({ number, at }) => at - (committed[number] ?? 0))
  report('idle: from the commit to the receiver, p50', percentile(times, 0.5), 'ms')
  report('idle: from the commit to the receiver, p95', percentile(times, 0.95), 'ms', 'at most 300')
  await end(service, [receiver])
}

async function sustained(): Promise<void> {
  const service = await start()
  const fast = await openReceiver('127.0.0.1')
  const hanging = await Promise.all(
    Array.from({ length: HANGING }, (_, n) => openReceiver(`127.0.1.${n + 1}`, { hangs: true })),
  )
  await webhook(service, fast, 'pulse.beat')
  for (const receiver of hanging) await webhook(service, receiver, 'pulse.stall')
  const committed = new Map<number, number>()
  const processorBefore = processorSeconds(service.server.pid)
  const startedAt = Date.now()
  const sending: Promise<void>[] = []
  for (let number = 0; number < RATE * SUSTAINED_S; number++) {
    const waitMs = startedAt + (number * 1000) / RATE - Date.now()
    if (waitMs > 1) await pause(waitMs)
    if (number % RATE === 0) sending.push(publish(service, 'pulse.stall', [number]).then(() => undefined))
    sending.push(publish(service, 'pulse.beat', [number]).then(at => void committed.set(number, at)))
  }
  await Promise.all(sending)
  const publishedS = (Date.now() - startedAt) / 1000
  await arrived(fast, committed.size, 120_000)
  const lastAt = Math.max(...fast.arrivals.map(({ at }) => at))
  const first = new Map(fast.arrivals.toReversed().map(arrival => [arrival.number, arrival.at]))
  const times = [...committed].map(([number, at]) => (first.get(number) ?? Number.POSITIVE_INFINITY) - at)
  report('sustained: events published a second', committed.size / publishedS, '/s', `${RATE}`)
  report(
    'sustained: deliveries a second to the fast receiver',
    committed.size / ((lastAt - startedAt) / 1000),
    '/s',
    `${RATE}`,
  )
  const processorMs = (processorSeconds(service.server.pid) - processorBefore) * 1000
  report('sustained: processor time of the server for an event and its delivery', processorMs / committed.size, 'ms')
  report('sustained: from the commit to the receiver, p50', percentile(times, 0.5), 'ms')
  report('sustained: from the commit to the receiver, p95', percentile(times, 0.95), 'ms')
  report('sustained: the last came after the last commit by', lastAt - Math.max(...committed.values()), 'ms')
  report(
    'sustained: attempts to those that hang',
    hanging.reduce((sum, { arrivals }) => sum + arrivals.length, 0),
    '',
  )
  await end(service, [fast, ...hanging])
}

async function killed(): Promise<void> {
  const service = await start()
  const receiver = await openReceiver('127.0.0.1', { delayMs: 20 })
  await webhook(service, receiver, 'pulse.beat')
  const numbers = Array.from({ length: KILLED_EVENTS }, (_, number) => number)
  const committed = new Set<number>()
  const publishing = Promise.allSettled(
    Array.from({ length: 20 }, async (_, part) => {
      for (const number of numbers.filter(one => one % 20 === part)) {
        await publish(service, 'pulse.beat', [number])
        committed.add(number)
      }
    }),
  )
  while (receiver.arrivals.length < KILLED_EVENTS * 0.3) await pause(5)
  await service.server.kill()
  await publishing
  const killedAt = Date.now()
  const before = receiver.arrivals.length
  const again = await service.restart()
  const missing = numbers.filter(number => !committed.has(number))
  await publish({ call: caller(again.url) }, 'pulse.beat', missing)
  await arrived(receiver, KILLED_EVENTS, KILLED_LIMIT_MS)
  const seen = new Set(receiver.arrivals.map(({ number }) => number))
  report('killed: received before kill -9', before, '')
  report('killed: of 1,000 events never received', KILLED_EVENTS - seen.size, '', '0')
  report(
    'killed: received twice',
    receiver.arrivals.length - new Set(receiver.arrivals.map(({ deliveryId }) => deliveryId)).size,
    '',
  )
  report('killed: the last one after', (Math.max(...receiver.arrivals.map(({ at }) => at)) - killedAt) / 1000, 's')
  await again.kill()
  receiver.close()
}

/** Seconds of processor time that a process has taken, by Linux' books: unlike the time of a clock, a busy machine adds little to it. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const TICKS = 100
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/** Waits until so many different events came, or the time is over. */
async function arrived({ arrivals }: Receiver, count: number, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs
  while (new Set(arrivals.map(({ number }) => number)).size < count && Date.now() < deadline) await pause(50)
}

async function end({ server }: BenchService, receivers: readonly Receiver[]): Promise<void> {
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  await server.kill()
  for (const receiver of receivers) receiver.close()
}
