/**
 * Attacks of one tenant, or of nobody, while another one works: the victim's p99 of reading, writing and searching during each attack, alone
 * and with four at once (`--apart`: each of a workspace of its own), against its p99 without; the service's memory during it, afterwards, and
 * after repetitions; and a thousand bodies and forms that are half sent. The victim's p99 may be three times its own, or 100 ms (embedded:
 * 500 ms) where that is more; no 5xx.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/abuse.ts
 *   bun bench/abuse.ts --on embedded --only batch --seconds 10 --rest 5 --repeat 10
 *   bun bench/abuse.ts --apart --only dashboards
 */
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ATTACKS, HALF_SENT, SlowBodies, type Target } from './abuse/attacks.ts'
import { type Experience, livesThrough, OPERATIONS } from './abuse/victim.ts'
import { residentMb } from './support/process-memory.ts'
import { BENCH_KEY, type BenchService, endBench, nativeServer, startBenchService } from './support/service.ts'
import { addTenant } from './support/tenants.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rest: { type: 'string', default: '60' },
    repeat: { type: 'string', default: '1' },
    only: { type: 'string' },
    on: { type: 'string' },
    apart: { type: 'boolean', default: false },
  },
})
const [seconds, rest, repeat] = [Number(values.seconds), Number(values.rest), Number(values.repeat)]
const ATTACKERS_MAX = 4
const SLOW = 'slow-bodies'
const names = [...Object.keys(ATTACKS), SLOW].filter(name => values.only === undefined || values.only === name)
if (names.length === 0) {
  console.error(`There is no attack ${values.only}. There are: ${[...Object.keys(ATTACKS), SLOW].join(', ')}`)
  process.exit(2)
}

type Kind = 'native' | 'embedded'
const all: readonly Kind[] = nativeServer() ? ['native', 'embedded'] : ['embedded']
/** The least that a p99 may be, in milliseconds, however fast the victim is alone. */
const FLOOR_MS: Readonly<Record<Kind, number>> = { native: 100, embedded: 500 }
const ATTACKER = new URL('./abuse/attacker.ts', import.meta.url)
const MEMORY_MB = { during: 900, after: 700, slow: 100 }
const SLOW_BODIES = 1000
/** A body has to arrive within 30 seconds; a form waits for its turn before that, for a minute at most. */
const SLOW_SECONDS = { json: 40, form: 110 }

for (const kind of all.filter(one => values.on === undefined || values.on === one)) await measure(kind)
await endBench()

async function measure(kind: Kind): Promise<void> {
  const service = await startBenchService(kind, { RATE_LIMIT: '6000' })
  const targets: Target[] = []
  for (let n = 1; n <= (values.apart ? ATTACKERS_MAX : 1); n++)
    targets.push({ base: service.server.url, key: await addTenant(service.server, `Attacker ${n}`) })
  const made = (await service.call('POST', '/v1/memories', { memory: 'The kettle sings at noon.' })) as { id: string }
  const live = (time: number) => livesThrough(service.server.url, BENCH_KEY, made.id, time)
  // The first seconds load models and dictionaries.
  await live(Math.min(5, seconds))
  const alone = await live(seconds)
  console.log(`\n## ${kind}: ${seconds} s each, ${memoryOf(service)} MB before`)
  console.log(`alone: ${OPERATIONS.map(operation => `${operation} ${ms(alone.p99[operation])}`).join(', ')}`)
  for (const name of names) {
    if (name === SLOW)
      for (const key of ['none', targets[0]?.key ?? 'none'])
        for (const sent of ['json', 'form'] as const)
          await slowBodies(kind, service, { base: service.server.url, key }, sent, alone, live)
    else
      for (const attackers of [1, ATTACKERS_MAX])
        await attacked({ kind, service, targets, name, attackers, alone, live })
  }
  await service.server.stop()
}

interface Round {
  readonly kind: Kind
  readonly service: BenchService
  /** Attackers have these in turn. */
  readonly targets: readonly Target[]
  readonly name: string
  readonly attackers: number
  readonly alone: Experience
  live(seconds: number): Promise<Experience>
}

async function attacked({ kind, service, targets, name, attackers, alone, live }: Round): Promise<void> {
  const after: number[] = []
  for (let n = 1; n <= repeat; n++) {
    const watch = watchMemory(service)
    const blows = Array.from({ length: attackers }, (_, n) => attack(name, targets[n % targets.length]))
    const under = await live(seconds)
    const dealt = await Promise.all(blows)
    const peak = watch.end()
    await pause(rest)
    after.push(memoryOf(service))
    const sum = dealt.reduce((total, one) => total + one, 0)
    show(kind, `${name} × ${attackers}${repeat > 1 ? ` (${n})` : ''}, ${sum} blows`, alone, under)
    console.log(
      `  memory: ${peak} MB during${mark(peak <= MEMORY_MB.during)}, ${after.at(-1)} MB after ${rest} s${mark((after.at(-1) ?? 0) <= MEMORY_MB.after)}`,
    )
  }
  const [second, tenth] = [after[1], after[9]]
  if (second !== undefined && tenth !== undefined) {
    console.log(`  memory after the 10th ${tenth} MB, after the 2nd ${second} MB${mark(tenth <= second * 1.02)}`)
  }
}

async function slowBodies(
  kind: Kind,
  service: BenchService,
  target: Target,
  sent: keyof typeof HALF_SENT,
  alone: Experience,
  live: Round['live'],
): Promise<void> {
  const time = SLOW_SECONDS[sent]
  const before = memoryOf(service)
  const watch = watchMemory(service)
  const bodies = new SlowBodies()
  await bodies.open(target, HALF_SENT[sent], SLOW_BODIES)
  const under = await live(time)
  const grown = watch.end() - before
  show(
    kind,
    `${SLOW_BODIES} half-sent bodies (${sent}) with ${target.key === 'none' ? 'a made-up' : 'a valid'} key`,
    alone,
    under,
  )
  console.log(
    `  memory: +${grown} MB${mark(grown <= MEMORY_MB.slow)}; closed after ${time} s: ${bodies.closed}${mark(bodies.closed === SLOW_BODIES)}`,
  )
  bodies.end()
}

/**
 * Attackers compute on machines of their own, so here they get what service, database and victim leave them of the processor.
 * @returns how many blows were dealt
 */
async function attack(name: string, target: Target | undefined): Promise<number> {
  const attacker = Bun.spawn([process.execPath, fileURLToPath(ATTACKER), JSON.stringify({ name, seconds, target })], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  setPriority(attacker.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return Number(await new Response(attacker.stdout).text())
}

function show(kind: Kind, title: string, alone: Experience, under: Experience): void {
  console.log(
    `\n${title}: ${under.requests} requests of the victim, ${under.failures} failed${mark(under.failures === 0)}`,
  )
  for (const operation of OPERATIONS) {
    const [own, now] = [alone.p99[operation], under.p99[operation]]
    const target = Math.max(3 * own, FLOOR_MS[kind])
    console.log(
      `  ${operation.padEnd(6)} p99 ${ms(now)} (${(now / own).toFixed(1)} × ${ms(own)}), target ${ms(target)}${mark(now <= target)}`,
    )
  }
}

function mark(isMet: boolean): string {
  return isMet ? '' : '  MISSED'
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`
}

function pause(time: number): Promise<void> {
  return sleep(time * 1000)
}

function memoryOf({ server }: BenchService): number {
  return residentMb(server.pid)
}

/** Remembers the highest reading until it is ended. */
function watchMemory(service: BenchService): { end(): number } {
  let peak = memoryOf(service)
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(service))
  }, 250)
  return {
    end() {
      clearInterval(timer)
      return peak
    },
  }
}
