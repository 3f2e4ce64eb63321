/**
 * Attacks of one tenant, or of nobody, while another one works, each against a service of its own: the victim's p99 of reading, writing and
 * searching during the attack, alone and with four at once (`--apart`: each of a workspace of its own), against its p99 without; what attacks
 * gained that are after something; the service's memory during it, afterwards, and after repetitions, which are those of four at once; a
 * thousand bodies and forms that are half sent; and whether searches of others can be told by the time that one's own take. The victim's p99
 * may be three times its own, or 100 ms (embedded: 500 ms) where that is more; no 5xx. `--memories` has the victim store so many first: on
 * an empty service the rounds fill caches and the database's buffers, which would look like a leak. What was missed is listed at the end.
 *
 *   BENCH_DATABASE_URL=postgres://… bun bench/abuse.ts
 *   bun bench/abuse.ts --on embedded --only batch,words --seconds 10 --rest 5 --repeat 10
 *   bun bench/abuse.ts --apart --only dashboards
 *   bun bench/abuse.ts --only searches --memories 10000 --seconds 20 --rest 25 --repeat 10
 */
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ATTACKS, HALF_SENT, SlowBodies } from './abuse/attacks.ts'
import { ATTACKS_WITH_GAINS } from './abuse/attacks-with-gains.ts'
import type { Target } from './abuse/blows.ts'
import { timeSearches } from './abuse/cache-timing.ts'
import { type Experience, livesThrough, OPERATIONS } from './abuse/victim.ts'
import { residentMb } from './support/process-memory.ts'
import {
  BENCH_KEY,
  type BenchService,
  cachedMb,
  endBench,
  fill,
  nativeServer,
  settled,
  startBenchService,
} from './support/service.ts'
import { addTenant, sessionCookie } from './support/tenants.ts'
import { variedText } from './support/varied-texts.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rest: { type: 'string', default: '60' },
    repeat: { type: 'string', default: '1' },
    only: { type: 'string' },
    on: { type: 'string' },
    apart: { type: 'boolean', default: false },
    memories: { type: 'string', default: '0' },
    'rate-limit': { type: 'string', default: '6000' },
  },
})
const [seconds, rest, repeat] = [Number(values.seconds), Number(values.rest), Number(values.repeat)]
const texts = Array.from({ length: Number(values.memories) }, (_, n) => `${variedText(n)} (${n})`)
const ATTACKERS_MAX = 4
const SLOW = 'slow-bodies'
const TIMING = 'cache-timing'
const every = [TIMING, ...Object.keys(ATTACKS), ...Object.keys(ATTACKS_WITH_GAINS), SLOW]
const names = values.only?.split(',') ?? every
const unknown = names.filter(name => !every.includes(name))
if (unknown.length > 0) {
  console.error(`There is no attack ${unknown.join(', ')}. There are: ${every.join(', ')}`)
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
/** A search for what others have searched for may take so much less, or more, of the time of any other. */
const TELLING_SHARE = 0.1
/** Everything that was missed, with where. */
const missed: string[] = []
let title = ''

for (const kind of all.filter(one => values.on === undefined || values.on === one)) await measure(kind)
console.log(missed.length === 0 ? '\nNothing was missed.' : `\nMissed:\n${missed.map(one => `  ${one}`).join('\n')}`)
await endBench()

interface World {
  readonly kind: Kind
  readonly service: BenchService
  /** Attackers have these in turn. */
  readonly targets: readonly Target[]
  live(seconds: number): Promise<Experience>
}

async function measure(kind: Kind): Promise<void> {
  const quiet = await open(kind)
  const alone = await quiet.live(seconds)
  console.log(`\n## ${kind}: ${seconds} s each, ${memoryOf(quiet.service)} MB before`)
  console.log(`alone: ${OPERATIONS.map(operation => `${operation} ${ms(alone.p99[operation])}`).join(', ')}`)
  await quiet.service.server.stop()
  for (const name of names) {
    // Work that an attack leaves behind would count against the next one.
    const world = await open(kind)
    await judge(name, world, alone)
    await world.service.server.stop()
  }
}

async function open(kind: Kind): Promise<World> {
  const service = await startBenchService(kind, { RATE_LIMIT: values['rate-limit'] })
  const targets = await targetsOf(service)
  const made = (await service.call('POST', '/v1/memories', { memory: 'The kettle sings at noon.' })) as { id: string }
  await fill(service, texts)
  if (texts.length > 0) await settled(service.server.url)
  const live = (time: number) => livesThrough(service.server.url, BENCH_KEY, made.id, time)
  // The first seconds load models and dictionaries.
  await live(Math.min(5, seconds))
  return { kind, service, targets, live }
}

async function judge(name: string, world: World, alone: Experience): Promise<void> {
  const { targets } = world
  if (name === TIMING) return timing(world)
  if (name !== SLOW) {
    for (const attackers of [1, ATTACKERS_MAX]) await attacked({ ...world, name, attackers, alone })
    return
  }
  for (const key of ['none', undefined])
    for (const sent of ['json', 'form'] as const)
      await slowBodies(
        { ...world, targets: targets.map(target => ({ ...target, key: key ?? target.key })) },
        sent,
        alone,
      )
}

async function targetsOf({ server }: BenchService): Promise<Target[]> {
  const session = await sessionCookie(server)
  const targets: Target[] = []
  for (let n = 1; n <= (values.apart ? ATTACKERS_MAX : 1); n++) {
    const [key, freeKey] = [await addTenant(server, `Attacker ${n}`), await addTenant(server, `Free ${n}`, 'free')]
    targets.push({ base: server.url, key, freeKey, session, email: server.email })
  }
  return targets
}

async function timing({ kind, targets: [target] }: World): Promise<void> {
  if (!target) return
  const { searched, unknown } = await timeSearches(target.base, BENCH_KEY, target.key)
  title = `${kind}: searches for what another workspace has searched for`
  console.log(
    `\n${title}: median ${ms(searched)}, for what nobody has ${ms(unknown)}${mark(Math.abs(searched - unknown) <= TELLING_SHARE * unknown, 'they differ')}`,
  )
}

interface Round extends World {
  readonly name: string
  readonly attackers: number
  readonly alone: Experience
}

async function attacked({ kind, service, targets, name, attackers, alone, live }: Round): Promise<void> {
  const after: number[] = []
  const rounds = attackers === ATTACKERS_MAX ? repeat : 1
  for (let n = 1; n <= rounds; n++) {
    const watch = watchMemory(service)
    const at = targets.slice(0, attackers)
    const blows = Array.from({ length: attackers }, (_, n) => attack(name, at[n % at.length]))
    const under = await live(seconds)
    const dealt = await Promise.all(blows)
    const peak = watch.end()
    await pause(rest)
    const left = memoryOf(service)
    after.push(left)
    const sum = dealt.reduce((total, { blows }) => total + blows, 0)
    show(kind, `${name} × ${attackers}${rounds > 1 ? ` (${n})` : ''}, ${sum} blows`, alone, under)
    showGain(
      name,
      at.length,
      dealt.reduce((total, { gained }) => total + gained, 0),
    )
    console.log(
      `  memory: ${peak} MB during${mark(peak <= MEMORY_MB.during, `${peak} MB during`)}, ${left} MB after ${rest} s${mark(left <= MEMORY_MB.after, `${left} MB after`)}, of which caches have ${await cachedMb(service.server.url)}`,
    )
  }
  const [second, tenth] = [after[1], after[9]]
  if (second !== undefined && tenth !== undefined) {
    console.log(
      `  memory after the 10th ${tenth} MB, after the 2nd ${second} MB${mark(tenth <= second * 1.02, `${tenth} MB after the 10th, ${second} MB after the 2nd`)}`,
    )
  }
}

function showGain(name: string, workspaces: number, gained: number): void {
  const after = ATTACKS_WITH_GAINS[name]
  if (!after) return
  const most = after.each ? after.most * workspaces : after.most
  console.log(
    `  ${after.what}: ${gained} in ${seconds} s, at most ${most}${mark(gained <= most, `${gained} ${after.what}`)}`,
  )
}

async function slowBodies(
  { kind, service, targets, live }: World,
  sent: keyof typeof HALF_SENT,
  alone: Experience,
): Promise<void> {
  const time = SLOW_SECONDS[sent]
  const before = memoryOf(service)
  const watch = watchMemory(service)
  const bodies = new SlowBodies()
  await Promise.all(targets.map(target => bodies.open(target, HALF_SENT[sent], SLOW_BODIES / targets.length)))
  const under = await live(time)
  const grown = watch.end() - before
  show(
    kind,
    `${SLOW_BODIES} half-sent bodies (${sent}) with ${targets[0]?.key === 'none' ? 'a made-up' : 'a valid'} key`,
    alone,
    under,
  )
  console.log(
    `  memory: +${grown} MB${mark(grown <= MEMORY_MB.slow, `+${grown} MB`)}; closed after ${time} s: ${bodies.closed}${mark(bodies.closed === SLOW_BODIES, `${bodies.closed} closed`)}`,
  )
  bodies.end()
}

/** Attackers compute on machines of their own, so here they get what service, database and victim leave them of the processor. */
async function attack(name: string, target: Target | undefined): Promise<{ blows: number; gained: number }> {
  const attacker = Bun.spawn([process.execPath, fileURLToPath(ATTACKER), JSON.stringify({ name, seconds, target })], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  setPriority(attacker.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return JSON.parse(await new Response(attacker.stdout).text())
}

function show(kind: Kind, what: string, alone: Experience, under: Experience): void {
  title = `${kind}: ${what}`
  console.log(
    `\n${what}: ${under.requests} requests of the victim, ${under.failures} failed${mark(under.failures === 0, 'failures')}`,
  )
  for (const operation of OPERATIONS) {
    const [own, now] = [alone.p99[operation], under.p99[operation]]
    const target = Math.max(3 * own, FLOOR_MS[kind])
    console.log(
      `  ${operation.padEnd(6)} p99 ${ms(now)} (${(now / own).toFixed(1)} × ${ms(own)}), target ${ms(target)}${mark(now <= target, operation)}`,
    )
  }
}

function mark(isMet: boolean, what: string): string {
  if (!isMet) missed.push(`${title}: ${what}`)
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
